package paydesk

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"
)

// AuthorizationInput is what a person should approve.
type AuthorizationInput struct {
	// RedirectURI is one of the redirect addresses of your client.
	RedirectURI string
	// Scopes such as orders.create and payments.create.
	Scopes []string
	// State is by default a new random value.
	State string
	// Nonce comes back in the ID token, for the scope openid.
	Nonce string
}

// AuthorizationRequest is where to send the browser, and what to keep in the person's session until it comes back.
type AuthorizationRequest struct {
	URL string
	// State must equal that of the address that the browser comes back to.
	State string
	// CodeVerifier goes to ExchangeCode. Keep it on the server.
	CodeVerifier string
}

// CodeInput is what the browser brought back.
type CodeInput struct {
	Code string
	// RedirectURI is the same as in the authorization.
	RedirectURI  string
	CodeVerifier string
}

// AuthorizationURL gives where to send a person's browser, so that the person lets you order and pay for them (PKCE, RFC
// 7636).
func (c *Client) AuthorizationURL(input AuthorizationInput) (*AuthorizationRequest, error) {
	verifier, err := randomText()
	if err != nil {
		return nil, err
	}
	state := input.State
	if state == "" {
		if state, err = randomText(); err != nil {
			return nil, err
		}
	}
	address, err := url.Parse(c.authorizationEndpoint)
	if err != nil {
		return nil, argumentError("the authorization endpoint is not valid")
	}
	challenge := sha256.Sum256([]byte(verifier))
	query := address.Query()
	for name, value := range map[string]string{
		"response_type":         "code",
		"client_id":             c.credentials.clientID,
		"redirect_uri":          input.RedirectURI,
		"scope":                 strings.Join(input.Scopes, " "),
		"state":                 state,
		"nonce":                 input.Nonce,
		"code_challenge":        base64.RawURLEncoding.EncodeToString(challenge[:]),
		"code_challenge_method": "S256",
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	address.RawQuery = query.Encode()
	return &AuthorizationRequest{address.String(), state, verifier}, nil
}

// randomText has 256 random bits.
func randomText() (string, error) {
	bits := make([]byte, 32)
	if _, err := rand.Read(bits); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(bits), nil
}

// ExchangeCode exchanges the code that the browser brought back for the person's token. A code works once.
func (c *Client) ExchangeCode(ctx context.Context, input CodeInput) (*UserToken, error) {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {input.Code},
		"redirect_uri": {input.RedirectURI}, "code_verifier": {input.CodeVerifier}}
	ctx, deadline, cancel := c.sender.limited(ctx)
	defer cancel()
	text, err := c.sender.env.sendWithRetries(ctx, c.credentials.request(form, true), deadline)
	if err != nil {
		return nil, err
	}
	token := &UserToken{}
	if err := decode(text, token); err != nil {
		return nil, err
	}
	if !isToken(token.AccessToken) || token.TokenType == "" || token.ExpiresIn <= 0 {
		return nil, invalidResponse("not a token")
	}
	return token, nil
}

// UserInfo tells who the person is. The token needs the scope openid.
func (c *Client) UserInfo(ctx context.Context, userToken string) (*UserInfo, error) {
	claims := map[string]any{}
	if err := c.sender.as(userToken)(ctx, call{method: "GET", url: c.userinfoEndpoint}, &claims); err != nil {
		return nil, err
	}
	sub, isText := claims["sub"].(string)
	if !isText {
		return nil, invalidResponse("the answer has no sub")
	}
	return &UserInfo{sub, claims}, nil
}
