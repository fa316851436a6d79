<?php

declare(strict_types=1);

namespace Paydesk\Tests;

use Paydesk\Client;
use Paydesk\Http\Attempt;
use Paydesk\Http\Environment;
use Paydesk\Http\Request;
use Paydesk\Http\Response;
use Paydesk\Http\Transport;
use Paydesk\Http\TransportException;

/** A client whose requests get scripted answers, under a clock that waiting moves. */
final class Bench implements Transport
{
    public float $nowMs = 1_000_000;
    /** @var list<array<string, mixed>> */
    public array $requests = [];
    /** @var list<array<string, mixed>> */
    public array $tokens = [];
    /** @var list<float> */
    public array $waits = [];
    /** @var list<Attempt> */
    public array $attempts = [];
    public readonly Client $client;
    /** @var array<string, list<array<string, mixed>>> */
    private array $queues;

    /** @param array<string, mixed> $vector */
    public function __construct(array $vector)
    {
        $this->queues = ['api' => $vector['answers'] ?? [], 'token' => $vector['token_answers'] ?? []];
        $options = $vector['options'] ?? [];
        $environment = new Environment(
            $this,
            maxAttempts: $options['max_attempts'] ?? 4,
            onAttempt: function (Attempt $attempt): void {
                $this->attempts[] = $attempt;
                throw new \LogicException('the metric is broken');
            },
            nowMs: fn (): float => $this->nowMs,
            unixMs: fn (): float => $this->nowMs,
            sleep: function (float $ms): void {
                $this->waits[] = $ms;
                $this->nowMs += $ms;
            },
            random: static fn (): float => (float) ($vector['random'] ?? 1),
        );
        $this->client = new Client(
            baseUrl: $options['base_url'] ?? 'https://pay.example/prefix/',
            clientId: $options['client_id'] ?? 'c1',
            clientSecret: $options['client_secret'] ?? 'client-secret-never-shown',
            tokenEndpoint: $options['token_endpoint'] ?? null,
            authorizationEndpoint: $options['authorization_endpoint'] ?? null,
            userinfoEndpoint: $options['userinfo_endpoint'] ?? null,
            timeoutS: ($options['timeout_ms'] ?? 30_000) / 1000,
            allowPlainHttp: $options['allow_plain_http'] ?? false,
            environment: $environment,
        );
    }

    public function send(Request $request, float $timeoutS): Response
    {
        [$address, $query] = explode('?', $request->url, 2) + [1 => ''];
        $media = $request->headers['content-type'] ?? null;
        $is_form = $media === 'application/x-www-form-urlencoded';
        if ($is_form) {
            parse_str((string) $request->body, $form);
            $this->tokens[] = ['url' => $address, 'form' => $form];
        } else {
            Check::same($request->body === null ? null : 'application/json', $media, 'the media type');
            parse_str($query, $parameters);
            $this->requests[] = ['method' => $request->method, 'url' => $address]
                + ($query === '' ? [] : ['query' => $parameters])
                + ['token' => substr($request->headers['authorization'], 7)]
                + ($request->body === null ? [] : ['body' => json_decode($request->body, true)]);
        }
        return $this->answer($is_form ? 'token' : 'api');
    }

    private function answer(string $kind): Response
    {
        $token = ['access_token' => 'token-' . count($this->tokens), 'token_type' => 'Bearer', 'expires_in' => 3600];
        $answer = $this->queues[$kind][0] ?? ['status' => 200, 'body' => $token];
        if (count($this->queues[$kind]) > 1) {
            array_shift($this->queues[$kind]);
        }
        if (isset($answer['fault'])) {
            throw new TransportException($answer['fault'], $answer['fault'] === 'timeout');
        }
        $text = $answer['text'] ?? json_encode($answer['body'] ?? null);
        return new Response($answer['status'], array_change_key_case($answer['headers'] ?? []), $text);
    }
}
