// Discounts of a grocer: rules that the grocer writes say what a basket costs less, and the till asks for each basket.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/hyperjumptech/grule-rule-engine/ast"
	"github.com/hyperjumptech/grule-rule-engine/builder"
	"github.com/hyperjumptech/grule-rule-engine/engine"
	"github.com/hyperjumptech/grule-rule-engine/logger"
	"github.com/hyperjumptech/grule-rule-engine/pkg"

	"wild/service"
)

// basket is what rules see.
type basket struct {
	Customer string
	Items    int64
	Cents    int64
	Fruit    int64
	Bread    int64
	Visits   int64
	Off      int64
}

// Take lessens the price.
func (b *basket) Take(cents int64) { b.Off += cents }

// Share lessens it by a part of it.
func (b *basket) Share(part int64) { b.Off += b.Cents / part }

// till decides by rules.
type till struct {
	text    string
	library *ast.KnowledgeLibrary
}

// compile reads rules.
func compile(text string) (*ast.KnowledgeLibrary, error) {
	library := ast.NewKnowledgeLibrary()
	if err := builder.NewRuleBuilder(library).BuildRuleFromResource("grocer", "1", pkg.NewBytesResource([]byte(text))); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return library, nil
}

func open(text string) (t *till, err error) {
	t = &till{text: text}
	t.library, err = compile(text)
	return t, err
}

// rules are the grocer's, for one basket.
func (t *till) rules() (*ast.KnowledgeBase, error) {
	library := t.library
	if !service.After() {
		var err error
		if library, err = compile(t.text); err != nil {
			return nil, err
		}
	}
	return library.NewKnowledgeBaseInstance("grocer", "1")
}

var errBasket = errors.New("a basket has items and a price")

// discount is what a basket costs less, in cents.
func (t *till) discount(b *basket) (int64, error) {
	if b.Items <= 0 || b.Cents <= 0 {
		return 0, errBasket
	}
	rules, err := t.rules()
	if err != nil {
		return 0, err
	}
	facts := ast.NewDataContext()
	if err := facts.Add("Basket", b); err != nil {
		return 0, err
	}
	e := &engine.GruleEngine{MaxCycle: 200}
	if err := e.Execute(facts, rules); err != nil {
		return 0, err
	}
	return min(b.Off, b.Cents), nil
}

func main() {
	logger.SetLogLevel(logger.ErrorLevel)
	t, err := open(grocer())
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /baskets", func(w http.ResponseWriter, r *http.Request) {
		var b basket
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		off, err := t.discount(&b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"customer": b.Customer, "cents": b.Cents, "off": off})
	})
	service.Run(mux)
}

// grocer has twenty-four rules.
func grocer() string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "rule Large%d \"a large basket\" salience %d { when Basket.Cents >= %d && Basket.Cents < %d && Basket.Items > %d then Basket.Take(%d); Retract(\"Large%d\"); }\n",
			i, 30-i, 2000+i*1500, 3500+i*1500, i, 50+i*40, i)
		fmt.Fprintf(&b, "rule Fruit%d \"much fruit\" salience %d { when Basket.Fruit == %d || (Basket.Fruit > 20 && Basket.Bread == %d) then Basket.Take(%d); Retract(\"Fruit%d\"); }\n",
			i, 20-i, i+3, i, 15+i*5, i)
		fmt.Fprintf(&b, "rule Loyal%d \"comes often\" salience %d { when Basket.Visits >= %d && Basket.Visits < %d && Basket.Customer != \"\" then Basket.Share(%d); Retract(\"Loyal%d\"); }\n",
			i, 10-i, 5+i*10, 15+i*10, 200-i*10, i)
	}
	return b.String()
}
