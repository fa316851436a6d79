<?php

declare(strict_types=1);

namespace Paydesk;

use Paydesk\Http\Answer;
use Paydesk\Model\Notification;
use Paydesk\Model\NotificationData;

/** Verifies status notifications. */
final class Verifier
{
    private const OWN = ['X-Service-Event-ID', 'X-Service-Timestamp', 'X-Service-Signature'];
    private const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    private const MAX_BODY = 65_536;
    private const MAX_SAFE_INTEGER = 2 ** 53 - 1;

    /** @var list<string> */
    private readonly array $secrets;

    /**
     * @param string|list<string> $secrets the signing secret, or all secrets in use: orders keep the key that they were created with
     * @param int $toleranceS the most that the timestamp may differ from now
     * @param ?\Closure(): int $now Unix seconds
     * @throws \InvalidArgumentException without a usable secret, because with an empty key anyone could sign
     */
    public function __construct(
        #[\SensitiveParameter] string|array $secrets,
        private readonly int $toleranceS = 300,
        private readonly ?\Closure $now = null,
    ) {
        $this->secrets = array_values((array) $secrets);
        if ($this->secrets === [] || in_array('', $this->secrets, true)) {
            throw new \InvalidArgumentException('a verifier needs at least one secret, and none may be empty');
        }
    }

    /**
     * The notification in a request, if the service has sent it.
     *
     * @param array<string, string|list<string>> $headers in any case of their names
     * @param string $body the raw bytes: JSON that was parsed and written again does not verify
     * @throws NotificationException for any other request
     */
    public function verify(array $headers, string $body): Notification
    {
        [$id, $timestamp, $signature] = $this->checkedHeaders($headers, self::OWN);
        $possible = array_map(
            static fn (string $secret): string => self::sign($secret, $timestamp, $body),
            $this->secrets,
        );
        return self::notification($possible, [$signature], $body, $id, self::OWN[0]);
    }

    /**
     * The same by the headers of Standard Webhooks, for a place behind a gateway that drops `X-` headers.
     *
     * @param array<string, string|list<string>> $headers
     * @throws NotificationException
     */
    public function verifyStandard(array $headers, string $body): Notification
    {
        [$id, $timestamp, $signature] = $this->checkedHeaders($headers, self::STANDARD);
        $possible = array_map(static function (string $secret) use ($id, $timestamp, $body): string {
            $digest = hash_hmac('sha256', "$id.$timestamp.$body", self::standardKey($secret), true);
            return 'v1,' . base64_encode($digest);
        }, $this->secrets);
        return self::notification($possible, explode(' ', $signature), $body, $id, self::STANDARD[0]);
    }

    /**
     * The notification in the current request, without a framework: reads its headers and its raw body.
     *
     * @throws NotificationException
     */
    public function fromGlobals(): Notification
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (is_string($value) && str_starts_with((string) $name, 'HTTP_')) {
                $headers[strtr(substr((string) $name, 5), '_', '-')] = $value;
            }
        }
        $body = file_get_contents('php://input', length: self::MAX_BODY + 1);
        if ($body === false || strlen($body) > self::MAX_BODY) {
            throw new NotificationException('malformed', 'the body is too large');
        }
        return $this->verify($headers, $body);
    }

    /** The value of `X-Service-Signature`, for tests of your receiver. */
    public static function sign(#[\SensitiveParameter] string $secret, string $timestamp, string $body): string
    {
        return 'sha256=' . hash_hmac('sha256', "$timestamp.$body", $secret);
    }

    /** @return array<string, int> */
    public function __debugInfo(): array
    {
        return ['secrets' => count($this->secrets), 'toleranceS' => $this->toleranceS];
    }

    /**
     * @param array<string, string|list<string>> $headers
     * @param array{string, string, string} $names
     * @return array{string, string, string}
     */
    private function checkedHeaders(array $headers, array $names): array
    {
        $lower = [];
        foreach ($headers as $name => $values) {
            $key = strtolower((string) $name);
            $lower[$key] = [...($lower[$key] ?? []), ...(array) $values];
        }
        $found = [];
        foreach ($names as $name) {
            $values = $lower[strtolower($name)] ?? [];
            $found[] = count($values) === 1 && $values[0] !== ''
                ? (string) $values[0]
                : throw new NotificationException('missing_header', $name);
        }
        if (preg_match('/^[0-9]{1,12}$/D', $found[1]) !== 1) {
            throw new NotificationException('malformed', 'the timestamp is not in Unix seconds');
        }
        $now = $this->now === null ? time() : ($this->now)();
        if (abs($now - (int) $found[1]) > $this->toleranceS) {
            throw new NotificationException('stale', 'the timestamp is too far from now');
        }
        return $found;
    }

    /**
     * @param list<string> $possible
     * @param list<string> $given
     */
    private static function notification(array $possible, array $given, string $body, string $id, string $name): Notification
    {
        // No early exit, so that the duration does not reveal which secret matched.
        $signed = false;
        foreach ($possible as $expected) {
            foreach ($given as $signature) {
                $signed = hash_equals($expected, $signature) || $signed;
            }
        }
        if (!$signed) {
            throw new NotificationException('bad_signature', 'no secret gives this signature');
        }
        $notification = self::parse($body);
        if ($notification === null) {
            throw new NotificationException('malformed', 'the signed body is not a status notification');
        }
        if ($notification->id !== $id) {
            throw new NotificationException('malformed', "$name differs from the id in the body");
        }
        return $notification;
    }

    private static function parse(string $body): ?Notification
    {
        $envelope = Answer::object($body);
        $fits = is_string($envelope->id ?? null)
            && ($envelope->type ?? null) === 'merchant_payment.status_changed'
            && ($envelope->api_version ?? null) === 1
            && is_string($envelope->created_at ?? null);
        try {
            $data = $fits ? NotificationData::from($envelope->data ?? null) : null;
        } catch (PaydeskException) {
            return null;
        }
        $whole = $data === null ? [] : [$data->amountMinor, $data->currencyDecimals, $data->statusVersion];
        if ($data === null || max(array_map(abs(...), $whole)) > self::MAX_SAFE_INTEGER) {
            return null;
        }
        // A payment is posted under its event, so a paid notification without an event is invalid.
        if (Posting::isPaid($data->status) && $data->eventId === null) {
            return null;
        }
        return new Notification($envelope->id, $envelope->created_at, $data, Answer::plain($envelope));
    }

    /** The key as the libraries of Standard Webhooks read it. A text that is no base64 is a secret like any other. */
    private static function standardKey(#[\SensitiveParameter] string $secret): string
    {
        $encoded = str_starts_with($secret, 'whsec_') ? substr($secret, 6) : '';
        $decoded = base64_decode($encoded, true);
        $is_encoded = is_string($decoded) && $decoded !== '' && base64_encode($decoded) === $encoded;
        return $is_encoded ? $decoded : $secret;
    }
}
