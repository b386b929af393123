// Discounts by rules that a shop writes itself: they are compiled when the service starts, and each basket is held
// against them.
package main

import (
	"fmt"
	"log"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/recover"

	"wild/service"
)

type item struct {
	SKU   string  `json:"sku" expr:"sku"`
	Kind  string  `json:"kind" expr:"kind"`
	Count int     `json:"count" expr:"count"`
	Price float64 `json:"price" expr:"price"`
}

// basket is what rules look at.
type basket struct {
	Customer string  `json:"customer" expr:"customer"`
	Orders   int     `json:"orders" expr:"orders"`
	Items    []item  `json:"items" expr:"items"`
	Total    float64 `json:"-" expr:"total"`
}

// rule gives a discount where it holds.
type rule struct {
	name    string
	percent float64
	program *vm.Program
}

var texts = []struct {
	name    string
	percent float64
	when    string
}{
	{"many", 5, `total > 200 and len(items) >= 3`},
	{"faithful", 3, `orders >= 10`},
	{"books", 2, `all(items, .kind == "book")`},
	{"stack", 4, `any(items, .count >= 5 and .price < 20)`},
	{"lamp", 1, `count(items, .kind == "lamp") == 2`},
	{"guest", 0, `customer == "" and total < 20`},
}

func compile() ([]rule, error) {
	var out []rule
	for _, t := range texts {
		p, err := expr.Compile(t.when, expr.Env(basket{}), expr.AsBool())
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", t.name, err)
		}
		out = append(out, rule{t.name, t.percent, p})
	}
	return out, nil
}

var machines = sync.Pool{New: func() any { return new(vm.VM) }}

// discount is the sum of those whose rules hold.
func discount(rules []rule, b basket) (percent float64, names []string, err error) {
	for _, it := range b.Items {
		b.Total += it.Price * float64(it.Count)
	}
	m := machines.Get().(*vm.VM)
	defer machines.Put(m)
	for _, r := range rules {
		holds, err := m.Run(r.program, b)
		if err != nil {
			return 0, nil, fmt.Errorf("rule %s: %w", r.name, err)
		}
		if holds.(bool) {
			percent += r.percent
			names = append(names, r.name)
		}
	}
	return percent, names, nil
}

func main() {
	rules, err := compile()
	if err != nil {
		log.Fatal(err)
	}
	app := fiber.New()
	app.Use(recover.New())
	app.Post("/discounts", func(ctx fiber.Ctx) error {
		var b basket
		if err := ctx.Bind().Body(&b); err != nil || len(b.Items) == 0 {
			return fiber.NewError(fiber.StatusBadRequest, "a basket has items")
		}
		percent, names, err := discount(rules, b)
		if err != nil {
			return err
		}
		return ctx.JSON(fiber.Map{"percent": percent, "rules": names})
	})
	ln := service.Listen()
	go func() { log.Println(app.Listener(ln, fiber.ListenConfig{DisableStartupMessage: true})) }()
	service.Wait()
}
