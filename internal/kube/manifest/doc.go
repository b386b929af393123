// Package manifest says what a run in Kubernetes consists of, as API objects.
//
// The objects are structs of this package with the few fields that unpark sets, not
// those of k8s.io/api (decision 41); a test holds every object against the schemas that
// Kubernetes publishes. Nothing here reads or writes.
//
//   - [Coordinator] is the Job that owns all others: when it goes, they go.
//   - [Others] are the Job of the agents, a Secret, a Service, a ServiceAccount and two
//     NetworkPolicies.
//   - [JSON] is for kubectl, [YAML] for people.
package manifest
