/** French texts: webhooks. */
import type { Messages } from '../messages.ts';

export const texts: Messages<'webhooks'> = {
  not_tried_yet: 'Aucune tentative',
  in_progress: 'En cours',
  order: 'Commande',
  status: 'Statut',
  delivery: 'Envoi',
  last_response: 'Dernière réponse',
  attempts: 'Tentatives',
  next_attempt: 'Prochaine tentative',
  created: 'Créé',
  endpoint_health: 'État des points de terminaison',
  the_default_endpoint_and_every_other:
    'Le point de terminaison par défaut et tout autre qui échoue actuellement.',
  failing_failures_in_a_row: 'En échec · {failures} de suite',
  last_attempt_failed: 'La dernière tentative a échoué',
  working: 'Fonctionne',
  count_webhook_endpoints_are_failing: {
    one: 'Un point de terminaison webhook est en échec',
    many: '{count} points de terminaison webhook sont en échec',
    other: '{count} points de terminaison webhook sont en échec',
  },
  check_endpoint: 'Vérifier le point de terminaison',
  webhook: 'Webhook',
  order_number: 'numéro de commande',
  event_id: 'ID de l’événement',
  order_status: 'Statut de la commande',
  resend: 'Renvoyer',
  resend_this_webhook: 'Renvoyer ce webhook ?',
  resend_now: 'Renvoyer maintenant',
  the_same_body_is_sent_once: 'Le même corps est envoyé une fois de plus au même point de terminaison.',
  webhook_is_being_sent: 'Le webhook est en cours d’envoi.',
  no_attempts_yet: 'Aucune tentative pour le moment',
  body: 'Corps',
  body_2: 'corps',
  pending: 'En attente',
  delivered: 'Livré',
  failed: 'En échec',
  webhook_deliveries: 'Envois de webhooks',
  collection_notification_records_every_webhoo:
    'Historique des notifications d’encaissement : chaque webhook envoyé à votre serveur, avec ses tentatives. Un envoi en échec ne dit rien du paiement.',
  webhooks: 'Webhooks',
  no_webhooks_yet: 'Aucun webhook pour le moment',
  a_webhook_is_sent_whenever_an:
    'Un webhook est envoyé dès qu’une commande ayant un point de terminaison change de statut. Définissez un point de terminaison par défaut sous Webhooks.',
  replay_all_failed: 'Renvoyer tous les échecs',
  replay_all_failed_webhooks: 'Renvoyer tous les webhooks en échec',
  replay: 'Renvoyer',
  since: 'Depuis',
  in_your_time_zone: 'Dans votre fuseau horaire.',
  my_server_is_ready_to_receive: 'Mon serveur est prêt à recevoir des webhooks',
  every_webhook_that_failed_for_good:
    'Chaque webhook définitivement en échec depuis lors est envoyé une fois de plus, avec le même corps.',
  webhooks_that_fail_again_stay_failed: 'Les webhooks qui échouent à nouveau restent en échec.',
  count_webhooks_are_being_sent_again: {
    one: '{count} webhook est en cours de renvoi.',
    many: '{count} webhooks sont en cours de renvoi.',
    other: '{count} webhooks sont en cours de renvoi.',
  },
  webhooks_2: 'Webhooks',
  collection_status_notifications_your_server:
    'Notifications de statut d’encaissement : votre serveur reçoit un webhook à chaque changement de statut d’une commande. Une commande peut indiquer son propre point de terminaison ; celui par défaut sert à toutes les autres.',
  default_endpoint: 'Point de terminaison par défaut',
  orders_keep_the_endpoint_and_the:
    'Les commandes conservent le point de terminaison et le secret de signature de leur création.',
  endpoint: 'Point de terminaison',
  used_for_new_orders: 'Utilisé pour les nouvelles commandes',
  yes: 'Oui',
  no: 'Non',
  edit: 'Modifier',
  save: 'Enregistrer',
  a_public_https_address_without_credentials:
    'Une adresse HTTPS publique sans identifiants ni fragment. Laissez vide pour supprimer le point de terminaison.',
  a_new_endpoint_gets_a_new:
    'Un nouveau point de terminaison reçoit un nouveau secret de signature, affiché une seule fois.',
  existing_orders_keep_the_old_endpoint: 'Les commandes existantes conservent l’ancien point de terminaison.',
  saved: 'Enregistré.',
  rotate_signing_secret: 'Renouveler le secret de signature',
  rotate: 'Renouveler',
  orders_created_from_now_on_are:
    'Les commandes créées à partir de maintenant sont signées avec le nouveau secret.',
  existing_orders_keep_theirs_accept_both:
    'Les commandes existantes conservent le leur : acceptez les deux secrets jusqu’à ce que ces commandes soient définitives.',
  signing_secret: 'Secret de signature',
  verify_the_signature: 'Vérifier la signature',
  a_valid_signature_proves_that_the:
    'Une signature valide prouve que le webhook vient de cette plateforme et n’a pas été modifié.',
  the_signature_covers_the_timestamp_a:
    'La signature couvre l’horodatage, un point et les octets bruts du corps. Répondez avec un statut 2xx en huit secondes, et lisez la commande avant de livrer : le webhook vous avertit, la commande contient l’état actuel.',
  example_in_javascript: 'Exemple en JavaScript',
  paydesk_sdk: '@paydesk/sdk',
  the_package_code_does_this_for: 'Le paquet {code} s’en charge pour vous.',
  test_event: 'Événement de test',
  sends_one_event_to_the_default:
    'Envoie un événement au point de terminaison par défaut. Son data.test_mode vaut true et sa commande n’existe pas.',
  send_test_event: 'Envoyer un événement de test',
  send_invalid_signature: 'Envoyer une signature invalide',
  the_event_was_not_sent: 'L’événement n’a pas été envoyé',
  your_server_accepted_an_invalid_signature:
    'Votre serveur a accepté une signature invalide. Vérifiez la signature avant de répondre 2xx.',
  your_server_rejected_the_invalid_signature:
    'Votre serveur a refusé la signature invalide avec {answer}, comme il se doit.',
  your_server_accepted_the_event_with:
    'Votre serveur a accepté l’événement avec {answer} en {duration_ms} ms.',
  your_server_did_not_accept_the: 'Votre serveur n’a pas accepté l’événement : {answer}.',
  passed: 'Réussi',
  request_as_sent: 'Requête telle qu’envoyée',
  copy_request: 'Copier la requête',
  headers_of_the_test_event: 'En-têtes de l’événement de test',
  body_of_the_test_event: 'Corps de l’événement de test',
  failing_since_time: 'En échec depuis {time}',
  failing_since_time_last_response_answer: 'En échec depuis {time}, dernière réponse {answer}',
  no_successful_delivery_yet: 'Aucun envoi réussi pour le moment',
  last_success_time: 'Dernier succès {time}',
  failed_of_count_attempts_failed_in: {
    one: '{failed} tentative sur {count} en échec en 24 h',
    many: '{failed} tentatives sur {count} en échec en 24 h',
    other: '{failed} tentatives sur {count} en échec en 24 h',
  },
  p95_ms_ms: 'p95 {ms} ms',
  endpoint_since_time_count_failures_in: {
    one: '{endpoint} depuis {time} : {count} échec',
    many: '{endpoint} depuis {time} : {count} échecs de suite',
    other: '{endpoint} depuis {time} : {count} échecs de suite',
  },
  endpoint_since_time_count_failures_in_2: {
    one: '{endpoint} depuis {time} : {count} échec, dernière réponse {answer}',
    many: '{endpoint} depuis {time} : {count} échecs de suite, dernière réponse {answer}',
    other: '{endpoint} depuis {time} : {count} échecs de suite, dernière réponse {answer}',
  },
  no_endpoint_yet: 'Aucun point de terminaison',
};
