package fakes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"
)

// state of a snapshot: which object, and when.
func stateAt(uid, revision string) object {
	s := snapshot("s")
	s.UID, s.ResourceVersion = uidOf(int64(len(uid))), revision
	return s
}

// notifications for the judge. Their revision is that of the new state, or
// given.
func added(o object, why origin, initial bool) *notification {
	return &notification{verb: "add", key: "default/s", revision: revisionOf(o), new: o, why: why, initial: initial, list: 1}
}

func updated(old, o object, why origin) *notification {
	return &notification{verb: "update", key: "default/s", revision: revisionOf(o), old: old, new: o, why: why, list: 1}
}

func deleted(o any, revision int64, why origin) *notification {
	return &notification{verb: "delete", key: "default/s", revision: revision, old: o, why: why, list: 1}
}

// Each rule of the judge notices the breach that it is for, at the last of some
// notifications, and nothing in those before it.
func TestJudgeNoticesBreaches(t *testing.T) {
	one, two, again := stateAt("a", "1"), stateAt("a", "2"), stateAt("bb", "3")
	tombstone := func(o object) cache.DeletedFinalStateUnknown {
		return cache.DeletedFinalStateUnknown{Key: "default/s", Obj: o}
	}
	other := added(one, fromList, true)
	other.key = "default/t"
	first := added(one, fromList, true)
	for want, notifications := range map[string][]*notification{
		"add of an object that is known":       {first, added(two, fromStream, false)},
		"an object that is not known":          {updated(one, two, fromStream)},
		"the old state is not the one":         {first, updated(two, again, fromStream)},
		"turns one object into another":        {first, updated(one, again, fromStream)},
		"old and new are two objects":          {first, updated(one, stateAt("a", "1"), fromResync)},
		"a delete with a":                      {first, deleted(nil, 2, fromStream)},
		"wants a tombstone":                    {first, deleted(two, 2, fromList)},
		"without the revision of the deletion": {first, deleted(one, 2, fromStream)},
		"a tombstone that comes from no list":  {first, deleted(tombstone(one), 2, fromStream)},
		"a tombstone with another state":       {first, deleted(tombstone(two), 2, fromList)},
		"a delete with a *cache.DeletedFinal":  {first, deleted(&cache.DeletedFinalStateUnknown{}, 2, fromList)},
		"the stream was at revision":           {first, updated(one, two, fromStream), updated(two, two, fromStream)},
		"goes back in time":                    {added(two, fromList, true), updated(two, one, fromList)},
		"an initial add after another event":   {first, updated(one, two, fromStream), other},
		"only adds are initial":                {first, initially(updated(one, two, fromStream))},
		"a deletion after an add or an update": {first, other, deleted(tombstone(one), 2, fromList)},
		"the cluster never had this state":     {added(stateAt("a", "9"), fromStream, false)},
		"begins while another one runs":        {first, nil},
		"":                                     {first, updated(one, again, fromList), deleted(stateAt("bb", "4"), 4, fromStream)},
	} {
		j := &judge{had: func(_ string, revision int64) bool { return revision < 9 }}
		for i, n := range notifications {
			got := ""
			if n == nil {
				j.running = true
			}
			got = j.begin(n)
			if j.end(); i == len(notifications)-1 && want != "" {
				assert.Contains(t, got, want)
			} else {
				assert.Empty(t, got, want)
			}
		}
	}
}

func initially(n *notification) *notification {
	n.initial = true
	return n
}
