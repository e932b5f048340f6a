package monitor

import (
	"log/slog"

	"k8s.io/client-go/util/workqueue"
)

// Monitor finalizes workspace pods. Make one with New and start it with Run.
type Monitor struct {
	config   Config
	log      *slog.Logger
	handover *handover
	queue    workqueue.TypedRateLimitingInterface[podKey]
}

// New checks the configuration and returns a Monitor. It starts nothing.
func New(config Config) (*Monitor, error) {
	config, err := config.complete()
	if err != nil {
		return nil, err
	}
	return &Monitor{config: config, log: config.Logger, handover: newHandover()}, nil
}
