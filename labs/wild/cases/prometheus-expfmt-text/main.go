// A federation endpoint: it writes the metrics that it collected elsewhere in the text format.
package main

import (
	"fmt"
	"net/http"

	"github.com/golang/protobuf/proto"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"wild/service"
)

func main() {
	families := collected(40, 25)
	mux := http.NewServeMux()
	mux.HandleFunc("/federate", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", string(expfmt.FmtText))
		enc := expfmt.NewEncoder(w, expfmt.FmtText)
		for _, family := range families {
			if err := enc.Encode(family); err != nil {
				return
			}
		}
	})
	service.Run(mux)
}

func collected(families, series int) []*dto.MetricFamily {
	var out []*dto.MetricFamily
	for f := range families {
		family := &dto.MetricFamily{
			Name: proto.String(fmt.Sprintf("node_resource_%d_total", f)),
			Help: proto.String("What the node has used."),
			Type: dto.MetricType_COUNTER.Enum(),
		}
		for s := range series {
			family.Metric = append(family.Metric, &dto.Metric{
				Label: []*dto.LabelPair{
					{Name: proto.String("instance"), Value: proto.String(fmt.Sprintf("10.0.0.%d:9100", s))},
					{Name: proto.String("job"), Value: proto.String("node")},
					{Name: proto.String("zone"), Value: proto.String("eu-1a")},
					{Name: proto.String("mode"), Value: proto.String("user")},
				},
				Counter:     &dto.Counter{Value: proto.Float64(float64(f*s) * 1.5)},
				TimestampMs: proto.Int64(1700000000000),
			})
		}
		out = append(out, family)
	}
	return out
}
