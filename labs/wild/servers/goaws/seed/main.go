// Command seed puts 60000 messages into the queue of orders and receives them all, so that they are in flight: half of
// what the cloud allows.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

func main() {
	queue := os.Args[1] + "/100010001000/orders"
	for batch := range 6000 {
		form := url.Values{"Action": {"SendMessageBatch"}, "Version": {"2012-11-05"}}
		for i := range 10 {
			entry := "SendMessageBatchRequestEntry." + strconv.Itoa(i+1)
			form.Set(entry+".Id", "m"+strconv.Itoa(i))
			form.Set(entry+".MessageBody", fmt.Sprintf(`{"order":"%06d","user":"u%d","total":%d}`, 10*batch+i, i*37%1000, i*613%9000))
		}
		post(queue, form)
	}
	// The answer is not of interest; GoAws gives as many at once as it is asked for.
	post(queue, url.Values{"Action": {"ReceiveMessage"}, "Version": {"2012-11-05"}, "MaxNumberOfMessages": {"60000"}})
}

func post(queue string, form url.Values) {
	resp, err := http.Post(queue, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	check(err)
	_, err = io.Copy(io.Discard, resp.Body)
	check(err)
	check(resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		log.Fatal(queue, ": ", resp.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
