package paydesk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"
	"unicode/utf8"
)

// call is one call of the API.
type call struct {
	method string
	url    string
	query  url.Values
	// body is sent as JSON, unless it is nil.
	body any
	once bool
}

// send sends a call and reads its answer into an object.
type send func(ctx context.Context, c call, answer any) error

type sender struct {
	env     *environment
	timeout time.Duration
}

// limited gives a context that ends with the time limit of the call, and that moment.
func (s sender) limited(ctx context.Context) (context.Context, time.Time, context.CancelFunc) {
	deadline := s.env.now().Add(s.timeout)
	if own, has := ctx.Deadline(); has && own.Before(deadline) {
		deadline = own
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	return ctx, deadline, cancel
}

// withTokens sends calls with tokens of the client itself. If the service rejects the token, it sends the call once more with
// a new one: a call with a rejected token has no effect. A token that lacks a scope never gets it, so it is dropped for the
// next call, at most once a minute.
func (s sender) withTokens(tokens *tokenSource) send {
	return func(ctx context.Context, c call, answer any) error {
		ctx, deadline, cancel := s.limited(ctx)
		defer cancel()
		r, err := requestOf(c)
		if err != nil {
			return err
		}
		for attempt := 1; ; attempt++ {
			r.token, err = tokens.get(ctx, deadline)
			if err != nil {
				return err
			}
			text, err := s.env.sendWithRetries(ctx, r, deadline)
			if err == nil {
				return decode(text, answer)
			}
			var refusal *Error
			if errors.As(err, &refusal) && refusal.Code == "insufficient_scope" {
				tokens.drop(r.token, time.Minute)
			}
			if refusal == nil || refusal.Status != 401 || attempt == 2 {
				return err
			}
			tokens.drop(r.token, 0)
		}
	}
}

// as sends calls with the token of a person, which only the person can replace.
func (s sender) as(userToken string) send {
	return func(ctx context.Context, c call, answer any) error {
		if !isToken(userToken) {
			return argumentError("a token is visible ASCII without spaces")
		}
		ctx, deadline, cancel := s.limited(ctx)
		defer cancel()
		r, err := requestOf(c)
		if err != nil {
			return err
		}
		r.token = userToken
		text, err := s.env.sendWithRetries(ctx, r, deadline)
		if err != nil {
			return err
		}
		return decode(text, answer)
	}
}

func requestOf(c call) (request, error) {
	r := request{method: c.method, url: c.url, once: c.once}
	if len(c.query) > 0 {
		r.url += "?" + c.query.Encode()
	}
	if c.body == nil {
		return r, nil
	}
	body, err := json.Marshal(c.body)
	if err != nil {
		return r, argumentError("the request is no JSON")
	}
	// The JSON would have U+FFFD in place of what is no UTF-8: another text than the caller has stored.
	if !utf8.ValidString(fmt.Sprint(c.body)) {
		return r, argumentError("the request is no JSON: all texts must be UTF-8")
	}
	r.body, r.contentType = body, "application/json"
	return r, nil
}

func decode(text []byte, answer any) error {
	if json.Unmarshal(text, answer) != nil {
		return invalidResponse("the answer is not what this call gives")
	}
	return nil
}

// segment makes an identifier one path segment. Empty and dot segments would lead to another address.
func segment(identifier string) (string, error) {
	if identifier == "" || identifier == "." || identifier == ".." {
		return "", argumentError("an identifier must not be empty or made of dots")
	}
	return url.PathEscape(identifier), nil
}

// list is the answer with the items of a list.
type list[T any] struct {
	Items      *[]T   `json:"items"`
	NextCursor string `json:"next_cursor"`
}

func (l list[T]) all() ([]T, error) {
	if l.Items == nil {
		return nil, invalidResponse("the list has no items")
	}
	return *l.Items, nil
}

// queryOf leaves out empty members.
func queryOf(members map[string]string) url.Values {
	query := url.Values{}
	for name, value := range members {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}
