// Doors of a laboratory, over h2c: a door asks whether a card opens it now, and policies say so, which are read at the start. There is
// nothing to be mended here.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"github.com/cedar-policy/cedar-go"

	"wild/service"
)

const policies = `
permit (principal in Group::"staff", action == Action::"open", resource in Zone::"office");
permit (principal in Group::"chemists", action == Action::"open", resource in Zone::"wet") when { context.hour >= 6 && context.hour < 22 };
permit (principal in Group::"guards", action, resource);
permit (principal, action == Action::"open", resource) when { principal has office && principal.office == resource };
forbid (principal, action == Action::"open", resource in Zone::"clean") unless { principal.trained };
forbid (principal, action, resource) when { context.alarm && !(principal in Group::"guards") };
permit (principal in Group::"staff", action == Action::"open", resource in Zone::"clean") when { principal.level >= 3 };
`

// laboratory has doors, cards and policies.
type laboratory struct {
	policies *cedar.PolicySet
	entities cedar.EntityMap
}

func open() (*laboratory, error) {
	set, err := cedar.NewPolicySetFromBytes("doors", []byte(policies))
	if err != nil {
		return nil, err
	}
	l := &laboratory{policies: set, entities: cedar.EntityMap{}}
	group := func(name string) cedar.EntityUID { return cedar.NewEntityUID("Group", cedar.String(name)) }
	zone := func(name string) cedar.EntityUID { return cedar.NewEntityUID("Zone", cedar.String(name)) }
	zones := []string{"office", "wet", "clean"}
	for i := range 60 {
		door := cedar.NewEntityUID("Door", cedar.String("d"+strconv.Itoa(i)))
		l.entities[door] = cedar.Entity{UID: door, Parents: cedar.NewEntityUIDSet(zone(zones[i%3]))}
	}
	for i := range 400 {
		in := []cedar.EntityUID{group("staff")}
		if i%3 == 0 {
			in = append(in, group("chemists"))
		}
		if i%40 == 0 {
			in = append(in, group("guards"))
		}
		card := cedar.NewEntityUID("Card", cedar.String("c"+strconv.Itoa(i)))
		l.entities[card] = cedar.Entity{UID: card, Parents: cedar.NewEntityUIDSet(in...), Attributes: cedar.NewRecord(cedar.RecordMap{
			"trained": cedar.Boolean(i%2 == 0),
			"level":   cedar.Long(i % 5),
			"office":  cedar.NewEntityUID("Door", cedar.String("d"+strconv.Itoa(i%60))),
		})}
	}
	return l, nil
}

func (l *laboratory) opens(w http.ResponseWriter, r *http.Request) {
	hour, err := strconv.Atoi(r.URL.Query().Get("hour"))
	if err != nil || hour < 0 || hour > 23 {
		http.Error(w, "at what hour?", http.StatusBadRequest)
		return
	}
	yes, why := cedar.Authorize(l.policies, l.entities, cedar.Request{
		Principal: cedar.NewEntityUID("Card", cedar.String(r.URL.Query().Get("card"))),
		Action:    cedar.NewEntityUID("Action", "open"),
		Resource:  cedar.NewEntityUID("Door", cedar.String(r.PathValue("door"))),
		Context:   cedar.NewRecord(cedar.RecordMap{"hour": cedar.Long(hour), "alarm": cedar.False}),
	})
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"opens": bool(yes), "by": fmt.Sprint(len(why.Reasons))})
}

func main() {
	l, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /doors/{door}/opens", l.opens)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	_ = srv.Close()
}
