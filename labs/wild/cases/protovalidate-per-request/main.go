// Transfers of a bank, as its partners post them by the dozen: each is checked by the rules that are written beside
// the fields of the message, and when all are good they are booked to the accounts.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"wild/service"
)

func field(name string, n int32, kind descriptorpb.FieldDescriptorProto_Type, rules *validate.FieldRules) *descriptorpb.FieldDescriptorProto {
	opts := &descriptorpb.FieldOptions{}
	proto.SetExtension(opts, validate.E_Field, rules)
	return &descriptorpb.FieldDescriptorProto{
		Name: &name, Number: &n, Type: &kind, Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Options: opts,
	}
}

func text(rules *validate.StringRules) *validate.FieldRules {
	return &validate.FieldRules{Type: &validate.FieldRules_String_{String_: rules}}
}

// transfer is the message bank.v1.Transfer, with its rules.
func transfer() (protoreflect.MessageDescriptor, error) {
	str, num := descriptorpb.FieldDescriptorProto_TYPE_STRING, descriptorpb.FieldDescriptorProto_TYPE_INT64
	opts := &descriptorpb.MessageOptions{}
	proto.SetExtension(opts, validate.E_Message, &validate.MessageRules{Cel: []*validate.Rule{{
		Id: proto.String("transfer.accounts"), Message: proto.String("the accounts are not the same"), Expression: proto.String("this.debtor != this.creditor"),
	}, {
		Id: proto.String("transfer.memo"), Message: proto.String("a large one says what for"), Expression: proto.String("this.cents < 100000 || size(this.memo) > 0"),
	}}})
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("bank/v1/transfer.proto"), Package: proto.String("bank.v1"), Syntax: proto.String("proto3"),
		Dependency: []string{"buf/validate/validate.proto"},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Transfer"), Options: opts, Field: []*descriptorpb.FieldDescriptorProto{
			field("debtor", 1, str, text(&validate.StringRules{Pattern: proto.String("^[A-Z]{2}[0-9]{8,20}$")})),
			field("creditor", 2, str, text(&validate.StringRules{Pattern: proto.String("^[A-Z]{2}[0-9]{8,20}$")})),
			field("cents", 3, num, &validate.FieldRules{Type: &validate.FieldRules_Int64{Int64: &validate.Int64Rules{
				GreaterThan: &validate.Int64Rules_Gt{Gt: 0}, LessThan: &validate.Int64Rules_Lte{Lte: 100_000_000},
			}}}),
			field("currency", 4, str, text(&validate.StringRules{In: []string{"EUR", "CHF", "SEK"}})),
			field("memo", 5, str, text(&validate.StringRules{MaxLen: proto.Uint64(140)})),
			field("mail", 6, str, text(&validate.StringRules{WellKnown: &validate.StringRules_Email{Email: true}})),
		}}},
	}
	fd, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		return nil, err
	}
	return fd.Messages().Get(0), nil
}

// bank books transfers.
type bank struct {
	message protoreflect.MessageDescriptor

	mu       sync.Mutex
	accounts map[string]int64
}

// check holds messages against their rules.
func check(messages []*dynamicpb.Message) error {
	v := protovalidate.GlobalValidator
	if !service.After() {
		var err error
		if v, err = protovalidate.New(); err != nil {
			return fmt.Errorf("validator: %w", err)
		}
	}
	for i, m := range messages {
		if err := v.Validate(m); err != nil {
			return fmt.Errorf("transfer %d: %w", i+1, err)
		}
	}
	return nil
}

// read takes a list of transfers apart.
func (b *bank) read(body io.Reader) ([]*dynamicpb.Message, error) {
	var texts []json.RawMessage
	if err := json.NewDecoder(body).Decode(&texts); err != nil {
		return nil, err
	}
	out := make([]*dynamicpb.Message, len(texts))
	for i, text := range texts {
		out[i] = dynamicpb.NewMessage(b.message)
		if err := protojson.Unmarshal(text, out[i]); err != nil {
			return nil, fmt.Errorf("transfer %d: %w", i+1, err)
		}
	}
	return out, nil
}

func (b *bank) book(m protoreflect.Message) map[string]any {
	get := func(name protoreflect.Name) protoreflect.Value { return m.Get(b.message.Fields().ByName(name)) }
	from, to, cents := get("debtor").String(), get("creditor").String(), get("cents").Int()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.accounts[from] -= cents
	b.accounts[to] += cents
	return map[string]any{"debtor": from, "balance": b.accounts[from], "currency": get("currency").String()}
}

func (b *bank) transfers(w http.ResponseWriter, r *http.Request) {
	messages, err := b.read(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var broken *protovalidate.ValidationError
	switch err := check(messages); {
	case errors.As(err, &broken):
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	booked := make([]map[string]any, 0, len(messages))
	for _, m := range messages {
		booked = append(booked, b.book(m))
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(booked)
}

func main() {
	message, err := transfer()
	if err != nil {
		log.Fatal(err)
	}
	b := &bank{message: message, accounts: map[string]int64{}}
	http.HandleFunc("POST /transfers", b.transfers)
	service.Run(http.DefaultServeMux)
}
