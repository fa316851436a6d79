/** German texts: webhooks. */
import type { Messages } from '../messages.ts';

export const texts: Messages<'webhooks'> = {
  not_tried_yet: 'Noch kein Versuch',
  in_progress: 'Läuft',
  order: 'Bestellung',
  status: 'Status',
  delivery: 'Zustellung',
  last_response: 'Letzte Antwort',
  attempts: 'Versuche',
  next_attempt: 'Nächster Versuch',
  created: 'Erstellt',
  endpoint_health: 'Zustand der Endpunkte',
  the_default_endpoint_and_every_other:
    'Der Standardendpunkt und jeder andere Endpunkt, der gerade fehlschlägt.',
  failing_failures_in_a_row: 'Fehlerhaft · {failures} in Folge',
  last_attempt_failed: 'Letzter Versuch fehlgeschlagen',
  working: 'Funktioniert',
  count_webhook_endpoints_are_failing: {
    one: 'Ein Webhook-Endpunkt schlägt fehl',
    other: '{count} Webhook-Endpunkte schlagen fehl',
  },
  check_endpoint: 'Endpunkt prüfen',
  webhook: 'Webhook',
  order_number: 'Bestellnummer',
  event_id: 'Ereignis-ID',
  order_status: 'Bestellstatus',
  resend: 'Erneut senden',
  resend_this_webhook: 'Diesen Webhook erneut senden?',
  resend_now: 'Jetzt senden',
  the_same_body_is_sent_once: 'Derselbe Inhalt wird noch einmal an denselben Endpunkt gesendet.',
  webhook_is_being_sent: 'Der Webhook wird gesendet.',
  no_attempts_yet: 'Noch keine Versuche',
  body: 'Inhalt',
  body_2: 'Inhalt',
  pending: 'Ausstehend',
  delivered: 'Zugestellt',
  failed: 'Fehlgeschlagen',
  webhook_deliveries: 'Webhook-Zustellungen',
  collection_notification_records_every_webhoo:
    'Protokoll der Benachrichtigungen: jeder an Ihren Server gesendete Webhook mit seinen Versuchen. Eine fehlgeschlagene Zustellung sagt nichts über die Zahlung aus.',
  webhooks: 'Webhooks',
  no_webhooks_yet: 'Noch keine Webhooks',
  a_webhook_is_sent_whenever_an:
    'Ein Webhook wird gesendet, sobald eine Bestellung mit Endpunkt ihren Status ändert. Legen Sie unter Webhooks einen Standardendpunkt fest.',
  replay_all_failed: 'Alle fehlgeschlagenen wiederholen',
  replay_all_failed_webhooks: 'Alle fehlgeschlagenen Webhooks wiederholen',
  replay: 'Wiederholen',
  since: 'Seit',
  in_your_time_zone: 'In Ihrer Zeitzone.',
  my_server_is_ready_to_receive: 'Mein Server ist empfangsbereit',
  every_webhook_that_failed_for_good:
    'Jeder seither endgültig fehlgeschlagene Webhook wird mit demselben Inhalt noch einmal gesendet.',
  webhooks_that_fail_again_stay_failed: 'Webhooks, die erneut fehlschlagen, bleiben fehlgeschlagen.',
  count_webhooks_are_being_sent_again: {
    one: '{count} Webhook wird erneut gesendet.',
    other: '{count} Webhooks werden erneut gesendet.',
  },
  webhooks_2: 'Webhooks',
  collection_status_notifications_your_server:
    'Benachrichtigungen zum Zahlungsstatus: Ihr Server erhält bei jeder Statusänderung einer Bestellung einen Webhook. Bestellungen können einen eigenen Endpunkt angeben; für alle anderen gilt der Standardendpunkt.',
  default_endpoint: 'Standardendpunkt',
  orders_keep_the_endpoint_and_the:
    'Bestellungen behalten den Endpunkt und den Signaturschlüssel, mit denen sie erstellt wurden.',
  endpoint: 'Endpunkt',
  used_for_new_orders: 'Für neue Bestellungen verwendet',
  yes: 'Ja',
  no: 'Nein',
  edit: 'Bearbeiten',
  save: 'Speichern',
  a_public_https_address_without_credentials:
    'Eine öffentliche HTTPS-Adresse ohne Zugangsdaten und Fragment. Leer lassen, um den Endpunkt zu entfernen.',
  a_new_endpoint_gets_a_new:
    'Ein neuer Endpunkt erhält einen neuen Signaturschlüssel, der nur einmal angezeigt wird.',
  existing_orders_keep_the_old_endpoint: 'Bestehende Bestellungen behalten den alten Endpunkt.',
  saved: 'Gespeichert.',
  rotate_signing_secret: 'Signaturschlüssel erneuern',
  rotate: 'Erneuern',
  orders_created_from_now_on_are: 'Ab jetzt erstellte Bestellungen werden mit dem neuen Schlüssel signiert.',
  existing_orders_keep_theirs_accept_both:
    'Bestehende Bestellungen behalten ihren: Akzeptieren Sie beide Schlüssel, bis diese Bestellungen abgeschlossen sind.',
  signing_secret: 'Signaturschlüssel',
  verify_the_signature: 'Signatur prüfen',
  a_valid_signature_proves_that_the:
    'Eine gültige Signatur beweist, dass der Webhook von dieser Plattform stammt und unverändert ist.',
  the_signature_covers_the_timestamp_a:
    'Die Signatur umfasst den Zeitstempel, einen Punkt und die unveränderten Bytes des Inhalts. Antworten Sie innerhalb von acht Sekunden mit einem 2xx-Status und lesen Sie die Bestellung, bevor Sie liefern: Der Webhook fordert zum Nachsehen auf, die Bestellung enthält den aktuellen Stand.',
  example_in_javascript: 'Beispiel in JavaScript',
  paydesk_sdk: '@paydesk/sdk',
  the_package_code_does_this_for: 'Das Paket {code} erledigt das für Sie.',
  test_event: 'Testereignis',
  sends_one_event_to_the_default:
    'Sendet ein Ereignis an den Standardendpunkt. data.test_mode ist true, und die Bestellung existiert nicht.',
  send_test_event: 'Testereignis senden',
  send_invalid_signature: 'Ungültige Signatur senden',
  the_event_was_not_sent: 'Das Ereignis wurde nicht gesendet',
  your_server_accepted_an_invalid_signature:
    'Ihr Server hat eine ungültige Signatur akzeptiert. Prüfen Sie die Signatur, bevor Sie mit 2xx antworten.',
  your_server_rejected_the_invalid_signature:
    'Ihr Server hat die ungültige Signatur mit {answer} abgelehnt, wie es sein soll.',
  your_server_accepted_the_event_with:
    'Ihr Server hat das Ereignis mit {answer} in {duration_ms} ms angenommen.',
  your_server_did_not_accept_the: 'Ihr Server hat das Ereignis nicht angenommen: {answer}.',
  passed: 'Bestanden',
  request_as_sent: 'Anfrage wie gesendet',
  copy_request: 'Anfrage kopieren',
  headers_of_the_test_event: 'Header des Testereignisses',
  body_of_the_test_event: 'Inhalt des Testereignisses',
  failing_since_time: 'Fehlerhaft seit {time}',
  failing_since_time_last_response_answer: 'Fehlerhaft seit {time}, letzte Antwort {answer}',
  no_successful_delivery_yet: 'Noch keine erfolgreiche Zustellung',
  last_success_time: 'Letzter Erfolg {time}',
  failed_of_count_attempts_failed_in: {
    one: '{failed} von {count} Versuch in 24 h fehlgeschlagen',
    other: '{failed} von {count} Versuchen in 24 h fehlgeschlagen',
  },
  p95_ms_ms: 'p95 {ms} ms',
  endpoint_since_time_count_failures_in: {
    one: '{endpoint} seit {time}: {count} Fehler',
    other: '{endpoint} seit {time}: {count} Fehler in Folge',
  },
  endpoint_since_time_count_failures_in_2: {
    one: '{endpoint} seit {time}: {count} Fehler, letzte Antwort {answer}',
    other: '{endpoint} seit {time}: {count} Fehler in Folge, letzte Antwort {answer}',
  },
  no_endpoint_yet: 'Noch kein Endpunkt',
};
