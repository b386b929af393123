// Readings of a city's water meters: a street's box sends those of all its houses in one go, and they are put on a delivery stream, which is a
// process elsewhere and takes 2 ms for what it is sent.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/firehose"
	"github.com/aws/aws-sdk-go-v2/service/firehose/types"

	"wild/service"
)

// reading is a meter's.
type reading struct {
	Meter  string  `json:"meter"`
	Litres float64 `json:"litres"`
}

// city has a stream of readings.
type city struct{ stream *firehose.Client }

var stream = aws.String("water")

func open(address string) *city {
	key := aws.Credentials{AccessKeyID: "water", SecretAccessKey: "water"}
	return &city{firehose.New(firehose.Options{
		Region:       "eu-north-1",
		BaseEndpoint: aws.String("http://" + address),
		Credentials:  aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return key, nil }),
		HTTPClient:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
	})}
}

// put sends readings on.
func (c *city) put(ctx context.Context, all []reading) error {
	var records []types.Record
	for _, one := range all {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		records = append(records, types.Record{Data: append(line, '\n')})
	}
	if service.After() {
		out, err := c.stream.PutRecordBatch(ctx, &firehose.PutRecordBatchInput{DeliveryStreamName: stream, Records: records})
		if err == nil && aws.ToInt32(out.FailedPutCount) > 0 {
			err = fmt.Errorf("%d were not taken", *out.FailedPutCount)
		}
		return err
	}
	for i := range records {
		if _, err := c.stream.PutRecord(ctx, &firehose.PutRecordInput{DeliveryStreamName: stream, Record: &records[i]}); err != nil {
			return err
		}
	}
	return nil
}

func (c *city) serve(w http.ResponseWriter, r *http.Request) {
	var in []reading
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in) == 0 || len(in) > 500 {
		http.Error(w, "what do the meters say?", http.StatusBadRequest)
		return
	}
	if err := c.put(r.Context(), in); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	fmt.Fprintf(w, "%d readings\n", len(in))
}

func main() {
	if os.Getenv("ROLE") == "stream" {
		deliver()
		return
	}
	c := open(service.Beside("stream"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /readings", c.serve)
	service.Run(mux)
}

// deliver takes records.
func deliver() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	h := func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Records []json.RawMessage }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), "PutRecordBatch") {
			fmt.Fprint(w, `{"RecordId": "r0"}`)
			return
		}
		ids := []map[string]string{}
		for i := range in.Records {
			ids = append(ids, map[string]string{"RecordId": fmt.Sprint("r", i)})
		}
		json.NewEncoder(w).Encode(map[string]any{"FailedPutCount": 0, "RequestResponses": ids})
	}
	go http.Serve(ln, http.HandlerFunc(h))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
