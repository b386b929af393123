package window

import (
	"cmp"
	"os"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
)

// What is worth a name of the processes beside the target.
const (
	mostNeighbours  = 5
	leastNeighbours = 0.02 // cores: a fiftieth of one disturbs nothing
	mostPeers       = 20
	mostClients     = 200
)

// everybody is every process that this one may see.
func everybody() map[identity]rusage.Running {
	out := map[identity]rusage.Running{}
	for _, p := range rusage.ReadAll() {
		out[identity{p.PID, p.StartTicks}] = p
	}
	return out
}

// neighbours are the processes that used most of the machine in the window, but for the
// target's and this one: whom to look at when the machine was not the target's alone. What ended
// in the window is not known.
func (u *usage) neighbours(seconds float64) []unpark.Neighbour {
	if seconds <= 0 || u.first.all == nil {
		return nil
	}
	mine := map[int]bool{os.Getpid(): true}
	for _, id := range u.order {
		mine[id.pid] = true
	}
	var out []unpark.Neighbour
	for id, last := range u.last.all {
		cores := (last.CPU - u.first.all[id].CPU) / seconds
		if mine[id.pid] || mine[last.Parent] || cores < leastNeighbours {
			continue
		}
		out = append(out, unpark.Neighbour{PID: id.pid, Name: last.Name, Cores: cores})
	}
	slices.SortFunc(out, func(a, b unpark.Neighbour) int {
		return cmp.Or(cmp.Compare(b.Cores, a.Cores), cmp.Compare(a.PID, b.PID))
	})
	return out[:min(len(out), mostNeighbours)]
}

// peers are the other ends of the connections that the target has opened. None is known
// elsewhere than on Linux, or on another machine.
func (u *usage) peers() []unpark.Peer {
	if u.last.machine.CPUs == 0 {
		return nil
	}
	var mine []int
	for _, id := range u.order {
		mine = append(mine, id.pid)
	}
	found, err := sockets.Peers(mine)
	if err != nil {
		return nil
	}
	names := u.names()
	var out []unpark.Peer
	for _, p := range found[:min(len(found), mostPeers)] {
		peer := unpark.Peer{Address: p.Address.String(), Connections: p.Connections}
		if p.Path != "" {
			peer.Address = "unix://" + p.Path
		}
		for _, pid := range p.PIDs {
			if slices.Contains(mine, pid) {
				peer.Self = true
			}
			if peer.PID == 0 || peer.Self && slices.Contains(mine, pid) {
				peer.PID, peer.Name = pid, names[pid]
			}
		}
		out = append(out, peer)
	}
	return out
}

// names are those of all processes, by their number.
func (u *usage) names() map[int]string {
	names := map[int]string{}
	for id, p := range u.last.all {
		names[id.pid] = p.Name
	}
	return names
}

// clients are the processes with connections that the target has accepted, but for this one,
// which reads its profiles. None is known where no peers are.
func (u *usage) clients() []unpark.Peer {
	if !u.o.Clients || u.last.machine.CPUs == 0 {
		return nil
	}
	var mine []int
	for _, id := range u.order {
		mine = append(mine, id.pid)
	}
	found, err := sockets.Clients(mine)
	if err != nil {
		return nil
	}
	names := u.names()
	var out []unpark.Peer
	for _, p := range found[:min(len(found), mostClients)] {
		c := unpark.Peer{Address: p.Address.String(), Connections: p.Connections}
		if len(p.PIDs) > 0 {
			c.PID = p.PIDs[0]
			c.Name, c.Self = names[c.PID], slices.Contains(mine, c.PID)
		}
		if c.PID != os.Getpid() {
			out = append(out, c)
		}
	}
	return out
}
