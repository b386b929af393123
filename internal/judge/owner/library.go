package owner

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// library returns the functions of one library that a function of the application calls, where
// together they have most of it. Go's own packages are what everything is written with, and no
// part of a program by themselves.
func (g group) library() (group, bool) {
	if !g.app() {
		return group{}, false
	}
	by := map[string]*group{}
	var most *group
	for _, arm := range g.arms() {
		if arm.app() || roles.Is(arm.function, roles.Standard) {
			continue
		}
		of := unpark.PackageOf(arm.function)
		if by[of] == nil {
			by[of] = &group{function: arm.function, without: arm.without}
		} else {
			by[of].beside = append(by[of].beside, arm.function)
		}
		by[of].nodes = append(by[of].nodes, arm.nodes...)
		by[of].value += arm.value
		if most == nil || by[of].value > most.value {
			most = by[of]
		}
	}
	if most == nil || most.value < descendShare*g.value {
		return group{}, false
	}
	most.begin = most.value
	return *most, true
}
