// Says how full a node of a cluster is: what its pods ask for, by namespace. The pods are in the
// cache of an informer, as a watch fills it; here some of them change all the time.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"wild/service"
)

const (
	nodes = 120
	pods  = 4000
)

const byNode = "node"

// cluster is what is known of it.
type cluster struct {
	indexer cache.Indexer
	lister  listers.PodLister
}

func newCluster() (*cluster, error) {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	if service.After() {
		indexers[byNode] = func(o any) ([]string, error) {
			p, ok := o.(*corev1.Pod)
			if !ok {
				return nil, fmt.Errorf("a %T is no pod", o)
			}
			return []string{p.Spec.NodeName}, nil
		}
	}
	c := &cluster{indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)}
	c.lister = listers.NewPodLister(c.indexer)
	for i := range pods {
		if err := c.indexer.Add(pod(i, 0)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func pod(i, version int) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint("pod-", i), Namespace: fmt.Sprint("team-", i%40), ResourceVersion: fmt.Sprint(version),
			Labels: map[string]string{"app": fmt.Sprint("app-", i%300), "tier": fmt.Sprint(i % 3)},
		},
		Spec:   corev1.PodSpec{NodeName: fmt.Sprint("node-", i%nodes)},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	if i%50 == 0 {
		p.Status.Phase = corev1.PodSucceeded
	}
	for k := range 1 + i%2 {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{
			Name: fmt.Sprint("c-", k),
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU:    *resource.NewMilliQuantity(int64(100+i%400), resource.DecimalSI),
				corev1.ResourceMemory: *resource.NewQuantity(int64(64+i%256)<<20, resource.BinarySI),
			}},
		})
	}
	return p
}

// watch changes a pod now and then, as the cluster would.
func (c *cluster) watch() {
	for n := range time.Tick(5 * time.Millisecond) {
		i := int(n.UnixNano()>>10) % pods
		if err := c.indexer.Update(pod(i, int(n.Unix()))); err != nil {
			log.Println(err)
		}
	}
}

// on returns the pods of a node.
func (c *cluster) on(node string) ([]*corev1.Pod, error) {
	if service.After() {
		found, err := c.indexer.ByIndex(byNode, node)
		if err != nil {
			return nil, err
		}
		out := make([]*corev1.Pod, 0, len(found))
		for _, o := range found {
			out = append(out, o.(*corev1.Pod))
		}
		return out, nil
	}
	all, err := c.lister.List(labels.Everything())
	if err != nil {
		return nil, err
	}
	var out []*corev1.Pod
	for _, p := range all {
		if p.Spec.NodeName == node {
			out = append(out, p)
		}
	}
	return out, nil
}

// share is what a namespace asks of a node.
type share struct {
	Pods   int   `json:"pods"`
	CPU    int64 `json:"cpu"`
	Memory int64 `json:"memory"`
}

// usage sums up what those pods ask for that run.
func usage(pods []*corev1.Pod) map[string]*share {
	out := map[string]*share{}
	for _, p := range pods {
		if p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		s, ok := out[p.Namespace]
		if !ok {
			s = &share{}
			out[p.Namespace] = s
		}
		s.Pods++
		for i := range p.Spec.Containers {
			r := p.Spec.Containers[i].Resources.Requests
			s.CPU += r.Cpu().MilliValue()
			s.Memory += r.Memory().Value()
		}
	}
	return out
}

func main() {
	c, err := newCluster()
	if err != nil {
		log.Fatal(err)
	}
	go c.watch()
	http.HandleFunc("/node", func(w http.ResponseWriter, r *http.Request) {
		pods, err := c.on(r.URL.Query().Get("name"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(usage(pods))
	})
	service.Run(http.DefaultServeMux)
}
