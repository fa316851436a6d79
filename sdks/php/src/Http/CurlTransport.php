<?php

declare(strict_types=1);

namespace Paydesk\Http;

use Paydesk\Client;

/**
 * Sends requests with curl. It keeps the connection for the next one, and uses the proxy that the environment names, except on
 * this machine.
 */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $curl = null;

    /** @param ?string $caFile certificates of your own authority */
    public function __construct(private readonly ?string $caFile = null)
    {
    }

    public function send(Request $request, float $timeoutS): Response
    {
        $this->curl ??= curl_init() ?: throw new TransportException('curl does not start');
        $curl = $this->curl;
        curl_reset($curl);
        $headers = [];
        // An infinite number would become 0 (D-1427).
        $timeout_ms = max(1, (int) min($timeoutS * 1000, 2 ** 31 - 1));
        curl_setopt_array($curl, [
            CURLOPT_URL => $request->url,
            CURLOPT_HTTPHEADER => self::lines($request),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTPS | CURLPROTO_HTTP,
            CURLOPT_NOSIGNAL => true,
            // curl repeats a request by itself if a connection that it has used before breaks without an answer.
            CURLOPT_FRESH_CONNECT => !$request->repeatable,
            CURLOPT_TIMEOUT_MS => $timeout_ms,
            CURLOPT_CONNECTTIMEOUT_MS => $timeout_ms,
            CURLOPT_HEADERFUNCTION => static function ($_curl, string $line) use (&$headers): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
                } elseif (str_starts_with($line, 'HTTP/')) {
                    // What a proxy or "100 Continue" said before is not the answer.
                    $headers = [];
                }
                return strlen($line);
            },
        ]);
        if ($request->method === 'POST') {
            curl_setopt_array($curl, [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $request->body ?? '']);
        }
        if (in_array(parse_url($request->url, PHP_URL_HOST), Client::LOOPBACK, true)) {
            // Plain HTTP is safe there only because it stays on this machine.
            curl_setopt($curl, CURLOPT_PROXY, '');
        }
        if ($this->caFile !== null) {
            curl_setopt($curl, CURLOPT_CAINFO, $this->caFile);
        }
        $body = curl_exec($curl);
        if (!is_string($body)) {
            throw new TransportException(curl_error($curl), curl_errno($curl) === CURLE_OPERATION_TIMEDOUT);
        }
        return new Response((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /** @return list<string> */
    private static function lines(Request $request): array
    {
        // Without these, curl would ask for "100 Continue", and call an empty body a form.
        $lines = ['expect:'];
        if (!isset($request->headers['content-type'])) {
            $lines[] = 'content-type:';
        }
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        return $lines;
    }
}
