<?php

declare(strict_types=1);

namespace Paydesk\Http;

use Paydesk\PaydeskException;

/** @internal Reads what the service answers. */
final class Answer
{
    /**
     * A success is a 2xx with a JSON object without `error`. So 202 `provider_result_pending` is no success.
     *
     * @throws PaydeskException for anything else
     */
    public static function read(Response $response, float $unixMs): \stdClass
    {
        $body = self::object($response->body);
        $code = $body->error ?? null;
        if ($response->status >= 200 && $response->status < 300 && $body !== null && $code === null) {
            return $body;
        }
        $known = is_string($code);
        throw new PaydeskException(
            $response->status,
            $known ? $code : 'invalid_response',
            $known
                ? self::text($body->error_description ?? null) ?? self::text($body->description ?? null)
                : 'the answer is not one of this service',
            self::text($body->field ?? null),
            self::retryAfter($response->headers['retry-after'] ?? null, $unixMs),
            $response->headers['x-request-id'] ?? null,
        );
    }

    /** The object in a text, or null. A whole number that is too large for an integer becomes its digits. */
    public static function object(string $text): ?\stdClass
    {
        $value = json_decode($text, false, 512, JSON_BIGINT_AS_STRING);
        return $value instanceof \stdClass ? $value : null;
    }

    /** Objects as arrays with their members. */
    public static function plain(mixed $value): mixed
    {
        $members = $value instanceof \stdClass ? get_object_vars($value) : $value;
        return is_array($members) ? array_map(self::plain(...), $members) : $members;
    }

    /** Seconds, or an HTTP date, which proxies can send. Null if the header is absent or invalid. */
    private static function retryAfter(?string $header, float $unixMs): ?int
    {
        if ($header === null) {
            return null;
        }
        if (preg_match('/^[0-9]{1,9}$/D', $header) === 1) {
            return (int) $header;
        }
        $at = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $header, new \DateTimeZone('UTC'));
        return $at === false ? null : (int) max(0, ceil($at->getTimestamp() - $unixMs / 1000));
    }

    private static function text(mixed $value): ?string
    {
        return is_string($value) ? $value : null;
    }
}
