// Feature flags that are kept in config maps, read through client-go's dynamic client. The
// API server, a process of its own that has the maps in memory, answers in 2 ms.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "apiserver" {
		apiserver()
		return
	}
	config := &rest.Config{Host: "http://" + service.Beside("apiserver")}
	if service.After() {
		config.QPS = -1 // the server has priority and fairness of its own
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	maps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("shop")
	var seq atomic.Int64
	http.HandleFunc("/flags", func(w http.ResponseWriter, r *http.Request) {
		m, err := maps.Get(r.Context(), fmt.Sprint("tenant-", seq.Add(1)%100), metav1.GetOptions{})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		flags, _, err := unstructured.NestedStringMap(m.Object, "data")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(flags)
	})
	service.Run(http.DefaultServeMux)
}

func apiserver() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/namespaces/shop/configmaps/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"namespace":"shop","resourceVersion":"7"},`+
			`"data":{"search":"on","checkout":"new","banner":"off"}}`, path.Base(r.URL.Path))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
