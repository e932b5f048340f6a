package sched

// The running hash is FNV-1a (Fowler, Noll, Vo) over 64-bit words, with the finaliser of SplitMix64 for the words, so
// that small numbers spread. It identifies a world's behaviour; it is no defence against an adversary.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

//go:norace
func mix(h, v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return (h ^ v ^ v>>31) * fnvPrime
}

//go:norace
func mixString(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return (h ^ uint64(len(s))) * fnvPrime
}
