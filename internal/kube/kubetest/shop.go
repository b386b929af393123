package kubetest

// Shop is a cluster with a deployment of two pods on two nodes behind a service; each pod has
// the annotations that are given for it.
func Shop(annotations ...map[string]string) Cluster {
	labels := map[string]string{"app": "checkout", "tier": "web"}
	c := Cluster{
		Objects: map[string]any{
			"deployment/checkout": map[string]any{"spec": map[string]any{
				"selector": map[string]any{"matchLabels": map[string]string{"app": "checkout"}},
				"template": map[string]any{"metadata": map[string]any{"labels": labels}},
			}},
		},
		Services: []any{
			service("checkout", map[string]string{"app": "checkout"}, "10.96.0.7", 80),
			service("checkout-peers", map[string]string{"app": "checkout"}, "None", 80),
			service("other", map[string]string{"app": "other"}, "10.96.0.8", 80),
		},
	}
	c.Objects["service/checkout"] = c.Services[0]
	for i, a := range annotations {
		name := "checkout-" + string(rune('a'+i))
		pod := map[string]any{
			"metadata": map[string]any{"name": name, "labels": labels, "annotations": a},
			"spec": map[string]any{"nodeName": "node-" + string(rune('1'+i)), "containers": []any{map[string]any{
				"name": "checkout", "ports": []any{map[string]any{"name": "http", "containerPort": 8080}},
			}}},
			"status": map[string]any{"phase": "Running", "podIP": "10.1.0." + string(rune('1'+i))},
		}
		c.Pods = append(c.Pods, pod)
		c.Objects["pod/"+name] = pod
	}
	return c
}

func service(name string, selector map[string]string, ip string, port int) map[string]any {
	return map[string]any{
		"metadata": map[string]string{"name": name},
		"spec": map[string]any{
			"type": "ClusterIP", "selector": selector, "clusterIP": ip,
			"ports": []any{map[string]any{"name": "http", "port": port}},
		},
	}
}

// Annotated are the annotations of a pod that serves profiles on a port.
func Annotated(port string) map[string]string {
	return map[string]string{"profiles.grafana.com/cpu.scrape": "true", "profiles.grafana.com/cpu.port": port}
}
