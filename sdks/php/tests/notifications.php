<?php

declare(strict_types=1);

namespace Paydesk\Tests;

use Paydesk\NotificationException;
use Paydesk\Verifier;

function notifications(): void
{
    $reason_of = static function (\Closure $verify): ?string {
        try {
            $verify();
            return null;
        } catch (NotificationException $error) {
            return $error->reason;
        }
    };
    foreach (Check::vectors('notification-signatures')['vectors'] as $vector) {
        Check::test($vector['name'], static function () use ($vector, $reason_of): void {
            $headers = [
                'X-Service-Event-ID' => $vector['event_id'],
                'X-Service-Timestamp' => $vector['timestamp'],
                'X-Service-Signature' => $vector['signature'],
            ];
            $verifier = new Verifier($vector['secret'], now: static fn (): int => $vector['now']);
            $reason = $reason_of(static fn () => $verifier->verify($headers, $vector['body']));
            Check::same($vector['reason'] ?? null, $reason);
        });
    }
    foreach (Check::vectors('notification-requests')['vectors'] as $vector) {
        Check::test($vector['name'], static function () use ($vector, $reason_of): void {
            $body = $vector['body'] ?? base64_decode($vector['body_base64']);
            $tolerance_s = $vector['tolerance_s'] ?? 300;
            $verifier = new Verifier($vector['secrets'], $tolerance_s, static fn (): int => $vector['now']);
            $reason = $reason_of(static fn () => $vector['scheme'] === 'paydesk'
                ? $verifier->verify($vector['headers'], $body)
                : $verifier->verifyStandard($vector['headers'], $body));
            Check::same($vector['reason'], $reason);
        });
    }
    Check::test('secrets that are none', static function (): void {
        foreach (['', [], ['', 'x']] as $secrets) {
            Check::throws(\InvalidArgumentException::class, static fn () => new Verifier($secrets));
        }
    });
    Check::test('the current request, without a framework', static function () use ($reason_of): void {
        $_SERVER['HTTP_X_SERVICE_EVENT_ID'] = 'ne_1';
        $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] = (string) time();
        $_SERVER['HTTP_X_SERVICE_SIGNATURE'] = Verifier::sign('secret', $_SERVER['HTTP_X_SERVICE_TIMESTAMP'], '');
        $verifier = new Verifier('secret');
        Check::same('malformed', $reason_of($verifier->fromGlobals(...)), 'a signed empty body');
        $_SERVER['HTTP_X_SERVICE_SIGNATURE'] = 'sha256=0';
        Check::same('bad_signature', $reason_of($verifier->fromGlobals(...)), 'another signature');
    });
}
