package monitor
