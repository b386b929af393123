package model

import "github.com/unpark-go/unpark"

// Again reports whether a wait for a time is one between tries for something that is not always to be had: few
// requests come to it, and those that do come to it again in the same request. A sleep that each request has, and one
// that chance gives to a few, are not: of those that chance chose once it chooses as few again.
//
// What is waited for is then what other requests have, or what others do, and more requests at a time wait as well.
func (w Wait) Again(m *Model) bool {
	load := m.Load
	if load == nil || m.Requests <= 0 || w.Heaviest.Class != unpark.WaitSleep || w.Count <= 0 || w.Count > fewTry*m.Requests {
		return false
	}
	return load.Response.Max >= triesOfOne*w.Delay/w.Count
}
