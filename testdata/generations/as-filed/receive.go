package monitor

import "context"

// receive returns what comes over the channel, or an error when ctx ends first.
func receive(ctx context.Context, contents <-chan string) (string, error) {
	select {
	case content := <-contents:
		return content, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
