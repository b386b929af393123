package kube

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/kube/kubectl"
	"github.com/unpark-go/unpark/internal/kube/manifest"
)

// workload is what a target is, in the words of the API.
type workload struct {
	kind, name string
	selector   manifest.Selector
	labels     map[string]string // of its pods, where it says so
	pods       []pod
	service    *service // through which it is loaded; nil: its pods are
}

// pod has the fields of a Pod that are read.
type pod struct {
	Metadata struct {
		Name              string            `json:"name"`
		Labels            map[string]string `json:"labels"`
		Annotations       map[string]string `json:"annotations"`
		DeletionTimestamp string            `json:"deletionTimestamp"`
	} `json:"metadata"`
	Spec struct {
		NodeName    string         `json:"nodeName"`
		HostNetwork bool           `json:"hostNetwork"`
		SharesPIDs  bool           `json:"shareProcessNamespace"`
		Containers  []podContainer `json:"containers"`
	} `json:"spec"`
	Status struct {
		Phase      string            `json:"phase"`
		Reason     string            `json:"reason"`
		Message    string            `json:"message"`
		IP         string            `json:"podIP"`
		Conditions []condition       `json:"conditions"`
		Containers []containerStatus `json:"containerStatuses"`
		Ephemeral  []containerStatus `json:"ephemeralContainerStatuses"`
	} `json:"status"`
}

type podContainer struct {
	Name  string `json:"name"`
	Ports []struct {
		Name   string `json:"name"`
		Number int    `json:"containerPort"`
	} `json:"ports"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type containerStatus struct {
	Name  string `json:"name"`
	State struct {
		Waiting    *state `json:"waiting"`
		Terminated *state `json:"terminated"`
		Running    *state `json:"running"`
	} `json:"state"`
}

type state struct {
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	ExitCode int    `json:"exitCode"`
}

// is reports whether a condition of the pod holds.
func (p *pod) is(kind string) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c condition) bool { return c.Type == kind && c.Status == "True" })
}

// running leaves out pods that have not begun or are about to go.
func running(pods []pod) []pod {
	return slices.DeleteFunc(pods, func(p pod) bool {
		return p.Status.Phase != "Running" || p.Metadata.DeletionTimestamp != "" || p.Status.IP == ""
	})
}

type service struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Type      string            `json:"type"`
		Selector  map[string]string `json:"selector"`
		ClusterIP string            `json:"clusterIP"`
		Ports     []port            `json:"ports"`
	} `json:"spec"`
}

type port struct {
	Name        string `json:"name"`
	Number      int    `json:"port"`
	AppProtocol string `json:"appProtocol"`
}

// aliases are what kubectl calls the kinds that can be a target.
func aliases(kind string) string {
	switch strings.ToLower(kind) {
	case "deploy", "deployment", "deployments", "deployment.apps", "deployments.apps":
		return "deployment"
	case "sts", "statefulset", "statefulsets", "statefulset.apps", "statefulsets.apps":
		return "statefulset"
	case "ds", "daemonset", "daemonsets", "daemonset.apps", "daemonsets.apps":
		return "daemonset"
	case "po", "pod", "pods":
		return "pod"
	case "svc", "service", "services":
		return "service"
	}
	return ""
}

// Kind checks the form of a target, kind/name, and returns the kind in full and the name.
func Kind(target string) (kind, name string, err error) {
	kind, name, ok := strings.Cut(target, "/")
	if full := aliases(kind); ok && full != "" && name != "" && !strings.HasPrefix(name, "-") && !strings.Contains(name, "/") {
		return full, name, nil
	}
	return "", "", fmt.Errorf("target %q: name one as deploy/NAME, statefulset/NAME, daemonset/NAME, pod/NAME or service/NAME", target)
}

// survey reads the target, its running pods, and the service that leads to them.
func survey(ctx context.Context, k *kubectl.Client, target string) (*workload, error) {
	kind, name, err := Kind(target)
	if err != nil {
		return nil, err
	}
	w := &workload{kind: kind, name: name}
	switch kind {
	case "pod":
		err = w.readPod(ctx, k)
	case "service":
		err = w.readService(ctx, k)
	default:
		err = w.readController(ctx, k)
	}
	if err != nil {
		return nil, err
	}
	if kind != "pod" {
		var list struct{ Items []pod }
		if err := k.Get(ctx, &list, "get", "pods", "--selector="+query(w.selector)); err != nil {
			return nil, err
		}
		w.pods = running(list.Items)
	}
	if len(w.pods) == 0 {
		return nil, fmt.Errorf("%s has no running pod in namespace %s: look with `kubectl get pods --namespace=%s --selector='%s'`", target, k.Namespace, k.Namespace, escape.Prose(query(w.selector)))
	}
	slices.SortFunc(w.pods, func(a, b pod) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	if kind != "pod" && kind != "service" {
		return w, w.findService(ctx, k)
	}
	return w, nil
}

func (w *workload) readController(ctx context.Context, k *kubectl.Client) error {
	var o struct {
		Spec struct {
			Selector manifest.Selector `json:"selector"`
			Template struct {
				Metadata struct {
					Labels map[string]string `json:"labels"`
				} `json:"metadata"`
			} `json:"template"`
		} `json:"spec"`
	}
	if err := k.Get(ctx, &o, "get", w.kind, w.name); err != nil {
		return err
	}
	w.selector, w.labels = o.Spec.Selector, o.Spec.Template.Metadata.Labels
	return w.selects()
}

func (w *workload) readPod(ctx context.Context, k *kubectl.Client) error {
	var p pod
	if err := k.Get(ctx, &p, "get", "pod", w.name); err != nil {
		return err
	}
	w.selector.MatchLabels, w.pods = p.Metadata.Labels, running([]pod{p})
	return w.selects()
}

func (w *workload) readService(ctx context.Context, k *kubectl.Client) error {
	var s service
	if err := k.Get(ctx, &s, "get", "service", w.name); err != nil {
		return err
	}
	w.selector.MatchLabels, w.service = s.Spec.Selector, &s
	return w.selects()
}

// selects refuses a target whose pods cannot be told from others by labels: neither could they
// be kept apart from the agents, nor reached through the policy.
func (w *workload) selects() error {
	if len(w.selector.MatchLabels)+len(w.selector.MatchExpressions) == 0 {
		return fmt.Errorf("%s/%s chooses no pods by labels: name the workload that has the pods, such as deploy/NAME, or give the pod a label", w.kind, w.name)
	}
	return nil
}

// findService looks for the one service that leads to the pods. Without one the pods are
// loaded by their addresses.
func (w *workload) findService(ctx context.Context, k *kubectl.Client) error {
	var list struct{ Items []service }
	if err := k.Get(ctx, &list, "get", "services"); err != nil {
		return err
	}
	var found []service
	for _, s := range list.Items {
		if len(s.Spec.Selector) > 0 && s.Spec.Type != "ExternalName" && subset(s.Spec.Selector, w.labels) {
			found = append(found, s)
		}
	}
	// A headless one beside it is for the peers of a StatefulSet.
	if balanced := slices.DeleteFunc(slices.Clone(found), func(s service) bool { return s.Spec.ClusterIP == "None" }); len(balanced) > 0 {
		found = balanced
	}
	if len(found) > 1 {
		var names []string
		for _, s := range found {
			names = append(names, "service/"+s.Metadata.Name)
		}
		return fmt.Errorf("several services lead to %s/%s: name the one that is to be loaded in its place: %s", w.kind, w.name, strings.Join(names, ", "))
	}
	if len(found) == 1 {
		w.service = &found[0]
	}
	return nil
}

func subset(part, whole map[string]string) bool {
	for k, v := range part {
		if have, ok := whole[k]; !ok || have != v {
			return false
		}
	}
	return true
}

// query is a selector as kubectl takes it.
func query(s manifest.Selector) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		parts = append(parts, k+"="+s.MatchLabels[k])
	}
	for _, e := range s.MatchExpressions {
		switch e.Operator {
		case "In", "NotIn":
			parts = append(parts, e.Key+" "+strings.ToLower(e.Operator)+" ("+strings.Join(e.Values, ",")+")")
		case "Exists":
			parts = append(parts, e.Key)
		case "DoesNotExist":
			parts = append(parts, "!"+e.Key)
		}
	}
	return strings.Join(parts, ",")
}

// choose finds one of several ports by its name or number, or the only one.
func choose(ports []port, wanted, of string) (port, error) {
	var names []string
	for _, p := range ports {
		number := strconv.Itoa(p.Number)
		if wanted != "" && (p.Name == wanted || number == wanted) || wanted == "" && len(ports) == 1 {
			return p, nil
		}
		names = append(names, strings.TrimPrefix(p.Name+" "+number, " "))
	}
	switch n, err := strconv.Atoi(wanted); {
	case len(ports) == 0 && err == nil && n > 0 && n < 1<<16:
		return port{Number: n}, nil
	case len(ports) == 0:
		return port{}, fmt.Errorf("%s names no port: say which with --port NUMBER", of)
	case wanted == "":
		return port{}, fmt.Errorf("%s has several ports: say which with --port: %s", of, escape.Prose(strings.Join(names, ", ")))
	}
	return port{}, fmt.Errorf("%s has no port %q: it has %s", of, wanted, escape.Prose(strings.Join(names, ", ")))
}
