package paydesk

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"sync"
	"time"
)

var visible = regexp.MustCompile(`^[\x21-\x7e]+\z`)

// isToken tells whether a header can carry the text.
func isToken(text string) bool { return visible.MatchString(text) }

type credentials struct {
	tokenEndpoint string
	clientID      string
	clientSecret  string
}

// request is a request to the token endpoint, with the client's id and secret.
func (c credentials) request(form url.Values, once bool) request {
	form.Set("client_id", c.clientID)
	form.Set("client_secret", c.clientSecret)
	return request{method: "POST", url: c.tokenEndpoint, contentType: "application/x-www-form-urlencoded",
		body: []byte(form.Encode()), once: once}
}

// tokenSource gets client-credentials tokens and keeps them until shortly before they expire: a tenth of the lifetime, at
// most a minute, is not used. The lifetime counts from the start of the request. Goroutines share a token.
type tokenSource struct {
	env         *environment
	credentials credentials
	scope       string
	// turn has room for the one goroutine that asks for a token; the others wait for that one.
	turn chan struct{}

	mutex  sync.Mutex
	stored *storedToken
}

type storedToken struct {
	token      string
	obtainedAt time.Time
	renewAt    time.Time
}

func newTokenSource(env *environment, c credentials, scope string) *tokenSource {
	return &tokenSource{env: env, credentials: c, scope: scope, turn: make(chan struct{}, 1)}
}

// get gives a token that does not expire soon.
func (s *tokenSource) get(ctx context.Context, deadline time.Time) (string, error) {
	if stored := s.current(); stored != nil {
		return stored.token, nil
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", ended(ctx)
	}
	if stored := s.current(); stored != nil {
		return stored.token, nil
	}
	return s.renew(ctx, deadline)
}

func (s *tokenSource) current() *storedToken {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.stored == nil || !s.env.now().Before(s.stored.renewAt) {
		return nil
	}
	return s.stored
}

// drop drops this token, unless it was already replaced or is younger than that.
func (s *tokenSource) drop(token string, minAge time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.stored != nil && s.stored.token == token && s.env.now().Sub(s.stored.obtainedAt) >= minAge {
		s.stored = nil
	}
}

func (s *tokenSource) renew(ctx context.Context, deadline time.Time) (string, error) {
	obtainedAt := s.env.now()
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {s.scope}}
	answer, err := s.env.sendWithRetries(ctx, s.credentials.request(form, false), deadline)
	if err != nil {
		return "", err
	}
	var token UserToken
	if json.Unmarshal(answer, &token) != nil || !isToken(token.AccessToken) || token.ExpiresIn <= 0 {
		return "", invalidResponse("the token answer lacks access_token or expires_in")
	}
	lifetime := time.Duration(token.ExpiresIn) * time.Second
	reserve := lifetime / 10
	if reserve > time.Minute {
		reserve = time.Minute
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.stored = &storedToken{token.AccessToken, obtainedAt, obtainedAt.Add(lifetime - reserve)}
	return token.AccessToken, nil
}
