// Package sockets tells which process listens where.
//
//  1. [Ports] and [Unix] list where some processes listen, [PortsIn] where one of
//     another file system does.
//  2. [Listening] names the process that listens on an address.
//  3. [Peers] lists whom some processes have opened connections to.
//  4. [Claim.Find] finds the process that answers at an address, which need not be
//     the one that listens there.
//
// It takes Linux; elsewhere an address is known to be taken, and not by which
// process.
package sockets
