// Package explore holds the strategies: what answers the questions that a world asks.
//
// A strategy is a sched.Chooser. It sees one question at a time and must answer it from what it was made of (a seed, a
// tape) alone, so that a world can be run again. Random, PCT and POS explore; Replay plays a tape exactly, and Guided what fits
// of one that was changed, or whose code was. Detouring plays a short list of answers, and is what rapid and the engine of
// go test -fuzz make schedules of.
package explore
