// Package kube carries a run out in Kubernetes, through the user's kubectl.
//
//  1. [Prepare] reads the workload, its pods and services, and makes a [Plan]: which
//     endpoints are captured, what is loaded, which objects are made. The plan says all
//     of it in words before anything is done.
//  2. [Plan.Print] writes the objects, [Plan.Check] has the cluster validate them,
//     [Plan.Run] makes them, follows the run, fetches its directory and removes them.
//  3. [Serve] and [Take] are what runs in the coordinator's pod: unpark itself, and what hands
//     its run directory over.
//
// The coordinator is a pod beside the agents, so that neither load nor clocks nor profiles
// cross the API server (decision 41). Everything is owned by its Job, which the cluster ends and
// removes by itself when unpark is gone.
//
// What a pod runs is said by a [Fleet].
package kube
