package kube

import "time"

// How long the steps of a run may take.
const (
	// Patience is how long all pods may take until they run.
	// Unit: s. Source: convention: an autoscaler adds a node in two to four minutes. Test: TestUnschedulable.
	Patience = 5 * time.Minute
	// look is how often the pods are looked at.
	// Unit: s. Source: convention: one request to the API server.
	look = 2 * time.Second
	// lonely is after how long a Job without a pod is asked for the reason.
	// Unit: s. Source: the Job controller tries again after one second at first. Test: TestRefusedByAdmission.
	lonely = 6 * time.Second
	// pulling is how long an image may fail to be pulled: the first failure can be the registry's.
	// Unit: s. Source: the kubelet's first pauses are 10 s and 20 s. Test: TestImage.
	pulling = 20 * time.Second
	// unplaced is how long a pod may find no node: with an autoscaler that is how nodes are asked for.
	// Unit: s. Source: as Patience. Test: TestUnschedulable.
	unplaced = 3 * time.Minute
	// removal is how long taking everything away may take, whatever ended the run.
	// Unit: s. Source: the pods' grace of 20 s, twice, and a margin. Test: TestInterrupted.
	removal = 60 * time.Second
	// stopping is how long a coordinator that is interrupted may take to hand over what it has.
	// Unit: s. Source: as mcp.patience, and the transfer. Test: TestInterrupted.
	stopping = 45 * time.Second
	// outage is how long the API server may be silent while a run goes on.
	// Unit: s. Source: a control plane that is upgraded, 1 to 2 minutes. Test: TestSilentCluster.
	outage = 3 * time.Minute
	// afterwards is how long the cluster keeps a Job that ended.
	// Unit: s. Source: ttlSecondsAfterFinished of package manifest. Test: TestOwner.
	afterwards = time.Minute
	// fetching is how long one transfer of the run directory may take.
	// Unit: s. Source: 2 GB at 10 MB/s and a margin.
	fetching = 5 * time.Minute
	// spare is what a run's time to live must have beyond its load.
	// Unit: s. Source: Patience, and the verdict.
	spare = 6 * time.Minute
)

// tries is how often a transfer that breaks off is repeated.
// Unit: times. Source: convention; kubectl cp has the flag --retries for the same reason. Test: TestFetchAgain.
const tries = 3
