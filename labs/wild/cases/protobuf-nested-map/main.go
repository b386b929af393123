// A report store: it serves what a scan found on a node, a deep tree of attributes, as protobuf.
package main

import (
	"fmt"
	"net/http"

	"github.com/golang/protobuf/proto"
	structpb "github.com/golang/protobuf/ptypes/struct"

	"wild/service"
)

func main() {
	report := tree(14)
	mux := http.NewServeMux()
	mux.HandleFunc("/report", func(w http.ResponseWriter, r *http.Request) {
		out, err := proto.Marshal(report)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
		w.Write(out)
	})
	service.Run(mux)
}

// tree nests maps: each level has six attributes and one deeper level.
func tree(levels int) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := range 6 {
		s.Fields[fmt.Sprintf("attribute_%d", i)] = &structpb.Value{Kind: &structpb.Value_StringValue{StringValue: "some text"}}
	}
	if levels > 1 {
		s.Fields["children"] = &structpb.Value{Kind: &structpb.Value_StructValue{StructValue: tree(levels - 1)}}
	}
	return s
}
