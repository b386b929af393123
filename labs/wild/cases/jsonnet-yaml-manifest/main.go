// Manifests of a platform: what a tenant runs is told in Jsonnet once, and each tenant's own is rendered as YAML when the
// cluster asks for it.
package main

import (
	"fmt"
	"log"
	"net/http"
	"runtime"
	"strconv"

	"github.com/google/go-jsonnet"
	"github.com/google/go-jsonnet/ast"

	"wild/service"
)

// library is what tenants have in common. A tenant has its name, its plan and its number.
const library = `
local labels(name, part) = { app: name, part: part };
local routes(name, part) = {
  apiVersion: 'example.org/v1', kind: 'Route', metadata: { name: name + '-' + part },
  host: name + '.example', path: '/' + part, to: name + '-' + part,
};
local service(name, part, port) = {
  apiVersion: 'v1', kind: 'Service', metadata: { name: name + '-' + part },
  spec: { selector: labels(name, part), ports: [port] },
};
local settings(name, plan, n) = {
  apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: name + '-settings' }, plan: plan,
  data: { ['LIMIT_' + i]: std.toString(n * 10 + i) for i in std.range(1, 2) },
};
function(tenant, plan, n)
  local parts = ['web'] + (if plan == 'large' then ['search'] else []);
  std.join('---\n', [
    std.manifestYamlDoc(doc, indent_array_in_object=false) + '\n'
    for doc in std.flatMap(function(part) [
      routes(tenant, part),
      service(tenant, part, 80),
    ], parts) + [settings(tenant, plan, n)]
  ])
`

// renderer keeps what renders: the library, parsed, and a machine for each request that runs.
type renderer struct {
	node     ast.Node
	machines chan *jsonnet.VM
}

func open() (*renderer, error) {
	node, err := jsonnet.SnippetToAST("tenant.jsonnet", library)
	if err != nil {
		return nil, err
	}
	r := &renderer{node, make(chan *jsonnet.VM, 4*runtime.GOMAXPROCS(0))}
	for range cap(r.machines) {
		vm := jsonnet.MakeVM()
		vm.StringOutput = true
		r.machines <- vm
	}
	return r, nil
}

// render is a tenant's manifest.
func (r *renderer) render(tenant, plan string, n int) (string, error) {
	vm := <-r.machines
	defer func() { r.machines <- vm }()
	vm.TLAVar("tenant", tenant)
	vm.TLAVar("plan", plan)
	vm.TLACode("n", strconv.Itoa(n))
	out, err := vm.Evaluate(r.node)
	if err != nil {
		return "", fmt.Errorf("tenant %s: %w", tenant, err)
	}
	return out, nil
}

func main() {
	r, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tenants/{tenant}/manifest.yaml", func(w http.ResponseWriter, req *http.Request) {
		n, err := strconv.Atoi(req.FormValue("n"))
		if err != nil {
			http.Error(w, "n is a number", http.StatusBadRequest)
			return
		}
		out, err := r.render(req.PathValue("tenant"), req.FormValue("plan"), n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/yaml")
		fmt.Fprint(w, out)
	})
	service.Run(mux)
}
