package guard

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// String is the event in one line, for people.
func (e Event) String() string {
	return e.At.Local().Format("15:04:05") + "  " + escape.Prose(e.text())
}

func (e Event) text() string {
	switch e.Kind {
	case armed:
		return e.armed()
	case triggers:
		return "fired: " + e.what() + ": capturing"
	case caught:
		return e.caught()
	case leftOut:
		text := fmt.Sprintf("left out: %s; the limit is reached", e.what())
		if e.Next != nil {
			text += " until " + e.Next.Local().Format("15:04:05")
		}
		return text + fmt.Sprintf(" (%d left out so far)", e.LeftOut)
	case failed:
		text := "not caught: " + e.Error
		if e.Dir != "" {
			text += "; what was captured is kept: unpark report " + e.Dir
		}
		return text
	case lost:
		return "the target is lost: " + e.Error + "; waiting until it is back"
	case ended:
		return fmt.Sprintf("disarmed: %s, %d left out by the limit; everything is given back", unpark.Counted(int64(e.Catch), "catch"), e.LeftOut)
	}
	return "note: " + e.Error
}

func (e Event) armed() string {
	text := "armed: " + e.Guard + " on " + strings.Join(e.Processes, ", ")
	if e.Flight {
		text += ", flight recorder on"
	}
	if e.Value != nil {
		if v, ok := e.Value.Value.Get(); ok {
			text += fmt.Sprintf("; %s is now %s", e.Condition, units.Say(v, e.Value.Unit))
		}
	}
	return text
}

// what is the condition with its value, or with the line that it was found in.
func (e Event) what() string {
	text := e.Condition
	if e.Value != nil {
		if v, ok := e.Value.Value.Get(); ok {
			text += ", it is " + units.Say(v, e.Value.Unit)
			if e.Value.N > 0 {
				text += " over " + unpark.Counted(e.Value.N, "request")
			}
		}
	}
	if e.Line != "" {
		text += fmt.Sprintf(", in the line %q", e.Line)
	}
	return text
}

func (e Event) caught() string {
	text := fmt.Sprintf("caught (%d): %s", e.Catch, e.Condition)
	if e.Limit != nil {
		text += "; limit " + string(e.Limit.Kind)
	}
	if e.Finding != nil {
		text += "; " + e.Finding.Title
		if at := e.Finding.Site.Place(); at != "" {
			text += " (" + at + ")"
		}
	}
	text += "; " + e.Dir
	if e.LeftOut > 0 {
		text += fmt.Sprintf("; %d more fired meanwhile", e.LeftOut)
	}
	if n := len(e.Removed); n > 0 {
		text += fmt.Sprintf("; removed the oldest %d", n)
	}
	if e.Error != "" {
		text += "; " + e.Error
	}
	return text
}
