package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/kube/manifest"
	"github.com/unpark-go/unpark/internal/kube/parcel"
)

// program is unpark in the image, by the project's Containerfile: a command in a container needs a path.
const program = "/usr/local/bin/unpark"

// fetch copies the run directory, and again when that breaks off: a stream through the API
// server ends with it, or with a balancer in front of it.
func (s *session) fetch(ctx context.Context, pod string, interrupt bool) (Result, error) {
	var err error
	for range tries {
		var end parcel.End
		end, err = s.transfer(ctx, pod, interrupt)
		if err == nil {
			return s.place(end)
		}
		if ctx.Err() != nil || !errors.Is(err, parcel.ErrCut) {
			break
		}
		s.tell("the transfer broke off; again")
	}
	return Result{}, fmt.Errorf("fetch the run from pod/%s: %w", pod, err)
}

func (s *session) transfer(ctx context.Context, pod string, interrupt bool) (parcel.End, error) {
	ctx, cancel := context.WithTimeout(ctx, s.pace.fetching)
	defer cancel()
	args := []string{"exec", "pod/" + pod, "--container=unpark", "--", program, "kube", "handover", "--dir=" + manifest.RunsDir}
	if interrupt {
		args = append(args, "--interrupt")
	}
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := s.client.Run(ctx, nil, write, args...)
		_ = write.Close() // the end of the stream: whether all was there is for the reader to say
		ended <- err
	}()
	end, err := parcel.Unpack(read, s.config.Dir+".partial")
	_ = read.Close()
	said := <-ended
	if errors.Is(err, parcel.ErrCut) && said != nil {
		return end, errors.Join(err, said)
	}
	return end, err
}

// place gives the folder its name: that of a run that ended, or of one that did not.
func (s *session) place(end parcel.End) (Result, error) {
	r := Result{Dir: s.config.Dir, Status: end.Status, Said: escape.Prose(end.Said)}
	partial := s.config.Dir + ".partial"
	switch {
	case end.Files == 0:
		if err := os.RemoveAll(partial); err != nil {
			return r, fmt.Errorf("remove %s: %w", partial, err)
		}
		return Result{}, fmt.Errorf("the coordinator ended without a run: %s", or(r.Said, "it does not say why"))
	case end.Partial:
		return r, nil
	}
	if err := os.Rename(partial, s.config.Dir); err != nil {
		return r, fmt.Errorf("keep the run as %s: %w", s.config.Dir, err)
	}
	return r, nil
}
