// Folders of an office: a folder shows those of its documents that an employee may view, which SpiceDB knows. It
// is a process of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	pb "github.com/authzed/authzed-go/proto/authzed/api/v1"
	"github.com/authzed/authzed-go/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"wild/service"
)

type document struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// office has folders.
type office struct {
	rights  *authzed.Client
	folders map[string][]document
}

var errAbsent = errors.New("no such folder")

func open(address string) (*office, error) {
	c, err := authzed.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	o := &office{rights: c, folders: map[string][]document{}}
	for i := range 50 {
		id := fmt.Sprintf("f%02d", i)
		for d := range 6 + i%19 {
			o.folders[id] = append(o.folders[id], document{fmt.Sprintf("d%d", i*40+d), fmt.Sprintf("Minutes of meeting %d in room %d", d, i)})
		}
	}
	return o, err
}

func object(kind, id string) *pb.ObjectReference {
	return &pb.ObjectReference{ObjectType: kind, ObjectId: id}
}

// shown are the documents of a folder that an employee may view.
func (o *office) shown(ctx context.Context, folder, employee string) ([]document, error) {
	all, ok := o.folders[folder]
	if !ok {
		return nil, errAbsent
	}
	subject := &pb.SubjectReference{Object: object("employee", employee)}
	may := o.each
	if service.After() {
		may = o.bulk
	}
	has, err := may(ctx, all, subject)
	if err != nil {
		return nil, err
	}
	out := []document{}
	for i, d := range all {
		if has[i] == pb.CheckPermissionResponse_PERMISSIONSHIP_HAS_PERMISSION {
			out = append(out, d)
		}
	}
	return out, nil
}

func (o *office) each(ctx context.Context, all []document, subject *pb.SubjectReference) ([]pb.CheckPermissionResponse_Permissionship, error) {
	out := make([]pb.CheckPermissionResponse_Permissionship, len(all))
	for i, d := range all {
		answer, err := o.rights.CheckPermission(ctx, &pb.CheckPermissionRequest{Resource: object("document", d.ID), Permission: "view", Subject: subject})
		if err != nil {
			return nil, err
		}
		out[i] = answer.GetPermissionship()
	}
	return out, nil
}

func (o *office) bulk(ctx context.Context, all []document, subject *pb.SubjectReference) ([]pb.CheckPermissionResponse_Permissionship, error) {
	q := &pb.CheckBulkPermissionsRequest{}
	for _, d := range all {
		q.Items = append(q.Items, &pb.CheckBulkPermissionsRequestItem{Resource: object("document", d.ID), Permission: "view", Subject: subject})
	}
	answer, err := o.rights.CheckBulkPermissions(ctx, q)
	if err != nil {
		return nil, err
	}
	out := make([]pb.CheckPermissionResponse_Permissionship, len(all))
	for i, pair := range answer.GetPairs() {
		out[i] = pair.GetItem().GetPermissionship()
	}
	return out, nil
}

func main() {
	if os.Getenv("ROLE") == "spicedb" {
		serveRights()
		return
	}
	o, err := open(service.Beside("spicedb"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /folders/{folder}", func(w http.ResponseWriter, r *http.Request) {
		out, err := o.shown(r.Context(), r.PathValue("folder"), r.FormValue("as"))
		switch {
		case errors.Is(err, errAbsent):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// rights stands for SpiceDB: a check takes it 2 ms, and some at once 3.
type rights struct {
	pb.UnimplementedPermissionsServiceServer
}

func may(document, employee string) pb.CheckPermissionResponse_Permissionship {
	if (len(document)+strings.Count(document, "7"))%2 == len(employee)%2 {
		return pb.CheckPermissionResponse_PERMISSIONSHIP_NO_PERMISSION
	}
	return pb.CheckPermissionResponse_PERMISSIONSHIP_HAS_PERMISSION
}

func (rights) CheckPermission(_ context.Context, in *pb.CheckPermissionRequest) (*pb.CheckPermissionResponse, error) {
	time.Sleep(2 * time.Millisecond)
	return &pb.CheckPermissionResponse{CheckedAt: &pb.ZedToken{Token: "GhUK"}, Permissionship: may(in.GetResource().GetObjectId(), in.GetSubject().GetObject().GetObjectId())}, nil
}

func (rights) CheckBulkPermissions(_ context.Context, in *pb.CheckBulkPermissionsRequest) (*pb.CheckBulkPermissionsResponse, error) {
	time.Sleep(3 * time.Millisecond)
	out := &pb.CheckBulkPermissionsResponse{CheckedAt: &pb.ZedToken{Token: "GhUK"}}
	for _, item := range in.GetItems() {
		out.Pairs = append(out.Pairs, &pb.CheckBulkPermissionsPair{Request: item, Response: &pb.CheckBulkPermissionsPair_Item{
			Item: &pb.CheckBulkPermissionsResponseItem{Permissionship: may(item.GetResource().GetObjectId(), item.GetSubject().GetObject().GetObjectId())},
		}})
	}
	return out, nil
}

func serveRights() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	pb.RegisterPermissionsServiceServer(srv, rights{})
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
