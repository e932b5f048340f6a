package constructs

import "fmt"

type (
	event  struct{ name string }
	sink   chan<- event
	faucet <-chan event
	hub    chan sink
	reply  chan error
)

func pump(in faucet, out sink, hubs ...hub) {
	for e := range in {
		out <- e
	}
	for _, h := range hubs {
		(<-h) <- event{"from a hub"}
	}
}

func directions() string {
	events, h := make(chan event, 4), make(hub, 1)
	h <- events
	pump(faucet(filled(event{"a"}, event{"b"})), events, h)
	var nothing chan event
	var boxes = [2]chan any{make(chan any, 1), make(chan any, 1)}
	replies := map[string]reply{"r": make(reply, 1)}
	keep(replies)
	replies["r"] <- nil
	var got struct {
		e  event
		ok bool
	}
	var list [3]any
	i := 0
	for range 8 {
		select {
		case nothing <- event{"never"}:
		case <-nothing:
		case <-(chan int)(nil):
		case got.e, got.ok = <-events:
			list[0] = got
		case boxes[i] <- len(list):
			i++
			if i == 2 {
				i = 0
				boxes[0], boxes[1] = nil, boxes[0]
			}
		case err, ok := <-replies[key("r")]:
			list[1] = fmt.Sprint(err, ok)
			delete(replies, "r")
		case list[2] = <-boxes[1]:
			boxes[1] = nil
		}
	}
	var receive <-chan event = events
	var send chan<- event = events
	send <- event{"last"}
	inverted := !<-filled(false)
	converted := <-(<-chan event)(events)
	close(send)
	_, ok := <-receive
	in := filled(filled(filled(-<-filled(3))))
	go func() { select {} }()
	return fmt.Sprint(list, converted, ok, <-<-<-in, inverted, cap(receive), len(events), replies)
}
