package fakes

import (
	"encoding/base64"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// continuation says where a list goes on.
type continuation struct {
	revision int64  // of the first page; zero is the present
	list     string // what must be the same for all pages
	from     string // the key at which the page begins
}

// String is the token as clients get it. It is put together by hand, because
// the pools of encoding/json would order those who list.
func (c continuation) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(formatRevision(c.revision) + "\n" + c.list + "\n" + c.from))
}

func listed(namespace string, opts metav1.ListOptions) string {
	if namespace == "" && opts.LabelSelector == "" && opts.FieldSelector == "" {
		return ""
	}
	return strconv.Quote(namespace) + strconv.Quote(opts.LabelSelector) + strconv.Quote(opts.FieldSelector)
}

// parse returns the token of a request; c is what is known without it.
func (c continuation) parse(opts metav1.ListOptions) (continuation, error) {
	if opts.ResourceVersion != "" && opts.ResourceVersion != "0" {
		return continuation{}, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
	}
	text, err := base64.RawURLEncoding.DecodeString(opts.Continue)
	revision, rest, _ := strings.Cut(string(text), "\n")
	list, from, found := strings.Cut(rest, "\n")
	n, malformed := strconv.ParseInt(revision, 10, 64)
	if err != nil || malformed != nil || !found {
		return continuation{}, apierrors.NewBadRequest("continue key is not valid: it is none of this server's")
	}
	if list != c.list {
		return continuation{}, apierrors.NewBadRequest("continue key is not valid: the namespace and the selectors must be those of the first page")
	}
	return continuation{n, list, from}, nil
}

func formatRevision(revision int64) string { return strconv.FormatInt(revision, 10) }
