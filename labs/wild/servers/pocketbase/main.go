// Command pocketbase is PocketBase with one more subcommand: seed makes the collection "items",
// which everyone may list and create, with 20000 records and no index but that of the id.
package main

import (
	"log"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
	"github.com/spf13/cobra"
)

func main() {
	app := pocketbase.New()
	app.RootCmd.AddCommand(&cobra.Command{
		Use:  "seed",
		RunE: func(*cobra.Command, []string) error { return seed(app) },
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

func seed(app core.App) error {
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	items := core.NewBaseCollection("items")
	items.ListRule = types.Pointer("")
	items.CreateRule = types.Pointer("")
	items.Fields.Add(
		&core.TextField{Name: "title", Required: true},
		&core.TextField{Name: "about", Max: 2000},
		&core.NumberField{Name: "score"},
	)
	if err := app.Save(items); err != nil {
		return err
	}
	_, err := app.DB().NewQuery(`
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 20000)
		INSERT INTO items (id, title, about, score)
		SELECT printf('item%011d', i), 'Item number ' || i, 'What there is to say of item number ' || i, (i * 7919) % 20011 FROM n
	`).Execute()
	return err
}
