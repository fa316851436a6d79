<?php

declare(strict_types=1);

namespace Paydesk\Tests;

use Paydesk\Expected;
use Paydesk\Money;
use Paydesk\OrderState;
use Paydesk\Posting;
use Paydesk\StoredState;

function amounts(): void
{
    $amounts = Check::vectors('amounts');
    foreach ($amounts['same'] as [$a, $b, $same]) {
        Check::test("$a and $b", static function () use ($a, $b, $same): void {
            Check::same([$same, $same], [Money::same($a, $b), Money::same($b, $a)]);
        });
    }
    foreach ($amounts['invalid'] as $text) {
        Check::test("'$text' is no amount", static function () use ($text): void {
            Check::throws(\InvalidArgumentException::class, static fn () => Money::same($text, '1'));
            Check::throws(\InvalidArgumentException::class, static fn () => Money::same('1', $text));
        });
    }
}

function posting(): void
{
    foreach (Check::vectors('posting')['vectors'] as $vector) {
        Check::test($vector['name'], static function () use ($vector): void {
            ['stored' => $stored, 'order' => $order, 'expected' => $expected] = $vector;
            $decision = Posting::decide(
                $stored === null ? null : new StoredState($stored['status_version'], $stored['posted_event_id']),
                new OrderState(
                    $order['external_reference'],
                    $order['amount'],
                    $order['currency'],
                    $order['status'],
                    $order['status_version'],
                    $order['test_mode'],
                    $order['event_id'] ?? null,
                ),
                new Expected(
                    $expected['external_reference'],
                    $expected['amount'],
                    $expected['currency'],
                    $vector['accept_test_mode'] ?? false,
                ),
            );
            $wanted = $vector['decision'];
            Check::same($wanted['action'], $decision->action->value, 'the action');
            Check::same($wanted['event_id'] ?? null, $decision->eventId, 'the event');
            Check::same($wanted['differences'] ?? [], $decision->differences, 'the differences');
        });
    }
}
