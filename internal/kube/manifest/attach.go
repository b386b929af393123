package manifest

import "encoding/json"

// Attach is the part of an ephemeral container that kubectl debug takes with --custom: root
// with the two capabilities that reading a process takes and no other, and the credential from
// the run's Secret, so that it is in no command line and not in the pod's own description. What it
// captures waits in its /tmp: an ephemeral container can bring no volume.
func Attach(r Run) ([]byte, error) {
	root, no := 0, false
	return json.Marshal(struct {
		Env             []variable        `json:"env"`
		SecurityContext containerSecurity `json:"securityContext"`
	}{
		Env: []variable{
			{Name: "UNPARK_NATS", Value: r.address()},
			{Name: "UNPARK_JOIN", ValueFrom: &source{keyRef{r.Name(), CredentialKey}}},
		},
		SecurityContext: containerSecurity{
			RunAsNonRoot: &no, RunAsUser: &root,
			Capabilities:   capabilities{Add: []string{"SYS_PTRACE", "PERFMON"}, Drop: []string{"ALL"}},
			SeccompProfile: &seccomp{"RuntimeDefault"},
		},
	})
}
