// Package cluster replicates the broker's shards: each is a Raft group over the
// nodes of the cluster. All groups of a node share one database, and so its syncs,
// and one port.
//
//   - log.go: the log and the votes of a group, in Pebble;
//   - fsm.go: the tasks of a group, and their snapshots;
//   - mux.go: the groups' connections over one port;
//   - propose.go: one Raft apply per command, or one for all commands that wait;
//   - node.go: what a node is made of.
//
// A command is acknowledged when a majority of the nodes has synced it.
package cluster
