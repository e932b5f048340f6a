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

// each has one operation that is ready in each round of its select.
func each(events chan event) string {
	var nothing chan event
	boxes := [2]chan any{nil, make(chan any, 1)}
	replies := map[string]reply{"r": make(reply, 1)}
	keep(replies)
	var list [3]any
	var got struct {
		e  event
		ok bool
	}
	for i := range 4 {
		select {
		case nothing <- event{"never"}:
		case <-nothing:
		case <-(chan int)(nil):
		case got.e, got.ok = <-events:
			events = nil
		case boxes[i%2] <- i + len(list):
			boxes[0], boxes[1] = boxes[1], nil
		case list[i] = <-boxes[0]:
			replies["r"] <- nil
		case err, ok := <-replies[key("r")]:
			list[0] = fmt.Sprint(err, ok)
		}
	}
	return fmt.Sprint(list, got)
}

func directions() string {
	events, h := make(chan event, 4), make(hub, 1)
	h <- events
	pump(faucet(filled(event{"a"}, event{"b"})), events, h)
	var receive <-chan event = events
	var send chan<- event = events
	send <- event{"last"}
	converted := <-(<-chan event)(events)
	close(send)
	e, ok := <-receive
	inverted := !<-filled(false)
	in := filled(filled(filled(-<-filled(3))))
	go func() { select {} }()
	return fmt.Sprint(each(filled(event{"first"})), converted, e, ok, <-<-<-in, inverted, cap(receive), len(events))
}
