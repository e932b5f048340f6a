package monitor

import (
	"log/slog"
	"sync"
)

// Monitor finalizes workspace pods. Make one with New and start it with Run.
type Monitor struct {
	config   Config
	log      *slog.Logger
	pool     *eventPool
	handover *handover

	finalizing sync.WaitGroup
	startedMu  sync.Mutex
	started    map[podKey]bool
}

// New checks the configuration and returns a Monitor. It starts nothing.
func New(config Config) (*Monitor, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	m := &Monitor{
		config:   config,
		log:      config.Logger,
		handover: newHandover(),
		started:  make(map[podKey]bool),
	}
	m.pool = newEventPool(m.handleEvent)
	return m, nil
}
