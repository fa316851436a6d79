<?php

declare(strict_types=1);

namespace Paydesk\Http;

use Paydesk\PaydeskException;

/** @internal Sends requests with time limits and retries. */
final class Retries
{
    private const FIRST_DELAY_MS = 250;
    private const LONGEST_DELAY_MS = 8000;
    private const RETRIED_STATUSES = [0, 408, 500, 502, 503, 504];
    /** Answers which say that nothing happened (D-920, D-1360). */
    private const NOTHING_HAPPENED = ['rate_limit_unavailable', 'request_timeout'];

    public function __construct(private readonly Environment $env)
    {
    }

    /**
     * The JSON object of a success. Repeats the request unchanged after failures whose outcome is unknown, or that ask the client
     * to wait. No attempt starts and no wait ends after the deadline.
     *
     * @throws PaydeskException
     */
    public function send(Request $request, float $deadlineMs): \stdClass
    {
        for ($attempt = 1; ; $attempt++) {
            $started = $this->env->nowMs();
            $response = null;
            $answer = null;
            $error = null;
            try {
                $response = $this->tryOnce($request, $deadlineMs);
                $answer = Answer::read($response, $this->env->unixMs());
            } catch (PaydeskException $caught) {
                $error = $caught;
            }
            $delay_ms = $error === null ? null : $this->delayBeforeNext($error, $attempt);
            $is_final = $error === null
                || $attempt >= $this->env->maxAttempts
                || !self::isRetried($error, $request->repeatable)
                || $this->env->nowMs() + $delay_ms >= $deadlineMs;
            $this->tell(new Attempt(
                $request->method,
                explode('?', $request->url, 2)[0],
                $attempt,
                $response?->status ?? 0,
                $error?->errorCode,
                $this->env->nowMs() - $started,
                $response?->headers['x-request-id'] ?? null,
                $is_final ? null : $delay_ms,
            ));
            if ($answer !== null) {
                return $answer;
            }
            if ($is_final) {
                throw $error;
            }
            $this->env->sleep($delay_ms);
        }
    }

    private function tryOnce(Request $request, float $deadlineMs): Response
    {
        $left_s = ($deadlineMs - $this->env->nowMs()) / 1000;
        if ($left_s <= 0) {
            throw new PaydeskException(0, 'timeout', 'no result in time');
        }
        try {
            return $this->env->transport->send($request, min($this->env->attemptTimeoutS, $left_s));
        } catch (TransportException $cause) {
            $code = $cause->isTimeout ? 'timeout' : 'network_error';
            throw new PaydeskException(
                0,
                $code,
                'no answer arrived from ' . self::originOf($request->url),
                previous: $cause,
            );
        }
    }

    /** An address without path, query and credentials. */
    private static function originOf(string $address): string
    {
        $url = parse_url($address) ?: [];
        $port = isset($url['port']) ? ":{$url['port']}" : '';
        return ($url['scheme'] ?? '') . '://' . ($url['host'] ?? '') . $port;
    }

    /** A hook that throws does not change the call. */
    private function tell(Attempt $attempt): void
    {
        try {
            if ($this->env->onAttempt !== null) {
                ($this->env->onAttempt)($attempt);
            }
        } catch (\Throwable) {
            // It is the caller's own log or metric.
        }
    }

    /**
     * A 429 is retried only with Retry-After, and a 408 because the request did not arrive (D-1360). Other 4xx answers are not
     * retried, because they would be the same.
     */
    private static function isRetried(PaydeskException $error, bool $repeatable): bool
    {
        if ($error->status === 429) {
            return $error->retryAfterS !== null;
        }
        if (!$repeatable) {
            return in_array($error->errorCode, self::NOTHING_HAPPENED, true);
        }
        $is_broken = $error->errorCode === 'invalid_response' && $error->status >= 200 && $error->status < 300;
        return $is_broken || in_array($error->status, self::RETRIED_STATUSES, true);
    }

    /**
     * An exponential delay. Half of it is random, so that many clients do not retry at the same time. It is never shorter than
     * Retry-After.
     */
    private function delayBeforeNext(PaydeskException $error, int $attempt): float
    {
        $backoff_ms = min(self::LONGEST_DELAY_MS, self::FIRST_DELAY_MS * 2 ** ($attempt - 1));
        return (float) max($backoff_ms * (0.5 + $this->env->random() / 2), ($error->retryAfterS ?? 0) * 1000);
    }
}
