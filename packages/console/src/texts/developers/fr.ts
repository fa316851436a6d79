/** French texts: developers. */
import type { Messages } from '../messages.ts';

export const texts: Messages<'developers'> = {
  permissions_scopes: 'Autorisations (scopes)',
  requested_scopes_take_effect_once_the:
    'Les scopes demandés prennent effet une fois approuvés par la plateforme.',
  new_api_key: 'Nouvelle clé API',
  create: 'Créer',
  name: 'Nom',
  shop_server: 'Serveur de la boutique',
  type: 'Type',
  confidential_a_server_that_keeps_a: 'Confidentielle : un serveur qui garde un secret',
  public_an_app_that_cannot_keep: 'Publique : une application qui ne peut pas garder un secret',
  redirect_uris: 'URI de redirection',
  where_people_return_after_they_have:
    'Où les personnes reviennent après avoir autorisé votre application. Appuyez sur Entrée après chacune.',
  api_key_created_its_scopes_wait: 'Clé API créée. Ses scopes attendent l’approbation de la plateforme.',
  client_id: 'ID client',
  client_secret: 'Secret client',
  public_keys: 'Clés publiques',
  public_keys_of_name: 'Clés publiques de {name}',
  set: 'Définir',
  json_web_key_set: 'JSON Web Key Set',
  all_public_keys_at_most_ten:
    'Toutes les clés publiques, dix au maximum. Laissez vide pour utiliser un secret à la place.',
  this_is_not_a_valid_json: 'Ce n’est pas un JSON Web Key Set valide.',
  the_public_keys_stop_working_now:
    'Les clés publiques cessent de fonctionner maintenant. S’il y en avait, un nouveau secret est créé et affiché une seule fois.',
  the_client_signs_assertions_with_these:
    'Le client signe des assertions avec ces clés. Ses secrets cessent de fonctionner maintenant.',
  public_keys_saved: 'Clés publiques enregistrées.',
  enable: 'Activer',
  disable: 'Désactiver',
  enable_name: 'Activer {name}',
  disable_name: 'Désactiver {name}',
  the_api_key_can_get_new: 'La clé API peut obtenir de nouveaux jetons. Les anciens restent révoqués.',
  all_its_tokens_are_revoked_at:
    'Tous ses jetons sont révoqués immédiatement et elle ne peut plus en obtenir.',
  enabled: 'Activée.',
  disabled: 'Désactivée.',
  ip_addresses: 'Adresses IP',
  allowed_ip_addresses_of_name: 'Adresses IP autorisées de {name}',
  save: 'Enregistrer',
  calls_from_other_ip_addresses_are:
    'Les appels depuis d’autres adresses IP sont refusés immédiatement, même avec un jeton valide.',
  saved: 'Enregistré.',
  request_scopes: 'Demander des scopes',
  request_scopes_for_name: 'Demander des scopes pour {name}',
  request: 'Demander',
  the_platform_decides_until_then_the:
    'La plateforme décide. D’ici là, la clé API conserve ses scopes actuels.',
  scopes_requested: 'Scopes demandés.',
  rotate: 'Renouveler',
  rotate_the_secret_of_name: 'Renouveler le secret de {name}',
  the_old_secret_has_leaked_revoke: 'L’ancien secret a fuité : le révoquer maintenant',
  a_new_secret_is_created_and: 'Un nouveau secret est créé et affiché une seule fois.',
  the_old_secret_and_all_tokens:
    'L’ancien secret et tous les jetons de cette clé API cessent de fonctionner maintenant.',
  the_old_secret_keeps_working_for: 'L’ancien secret fonctionne encore 24 heures.',
  the_old_secret_works_until_previous: 'L’ancien secret fonctionne jusqu’au {previous_valid_until}.',
  developers: 'Développeurs',
  api_keys_for_your_servers_and:
    'Clés API de vos serveurs et applications. Chacune a son ID client et son secret.',
  api_keys: 'Clés API',
  no_api_keys_yet: 'Aucune clé API pour le moment',
  create_an_api_key_for_your:
    'Créez une clé API pour votre serveur : elle reçoit un secret et demande les scopes nécessaires.',
  actions: 'Actions',
  api_key: 'Clé API',
  scopes: 'Scopes',
  request_2: 'Demande',
  status: 'Statut',
  since: 'Depuis',
  from_allowed_cidrs: 'Depuis {allowed_cidrs}',
  first_steps: 'Premiers pas',
  the_quickstart_shows_each_step_with:
    'Le démarrage rapide montre chaque étape avec une commande et détecte quand elle est faite.',
  n_1_your_server_gets_an_access:
    '1. Votre serveur obtient un jeton d’accès avec l’ID et le secret client, auprès de {code}.',
  n_2_it_creates_an_order_with:
    '2. Il crée une commande avec une clé d’idempotence, pour pouvoir réessayer sans risque, et envoie l’acheteur vers la {code} de la commande.',
  n_3_it_receives_a_webhook_when:
    '3. Il reçoit un webhook quand la commande change, lit la commande et livre.',
  quickstart: 'Démarrage rapide',
  from_an_api_key_to_the:
    'D’une clé API au premier webhook vérifié. Cette page détecte chaque étape dès qu’elle a lieu.',
  create_an_api_key: 'Créer une clé API',
  get_its_scopes_approved: 'Faire approuver ses scopes',
  get_an_access_token: 'Obtenir un jeton d’accès',
  save_your_webhook_endpoint: 'Enregistrer votre point de terminaison webhook',
  accept_a_test_event: 'Accepter un événement de test',
  reject_an_invalid_signature: 'Refuser une signature invalide',
  create_your_first_order: 'Créer votre première commande',
  receive_its_first_webhook: 'Recevoir son premier webhook',
  done: 'Terminé',
  next_value: 'Suivant : {value}',
  your_server_creates_orders_and_receives:
    'Votre serveur crée des commandes, et reçoit et vérifie des webhooks.',
  your_server_authenticates_with_it_keep:
    'Votre serveur s’authentifie avec elle. Gardez le secret sur le serveur.',
  view_the_request: 'Voir la demande',
  the_platform_approves_the_scopes_of:
    'La plateforme approuve les scopes de votre clé API. Vous pouvez attendre sur cette page.',
  your_server_exchanges_the_client_secret: 'Votre serveur échange le secret client contre un jeton d’accès.',
  set_endpoint: 'Définir le point de terminaison',
  how_to_verify_a_signature: 'Comment vérifier une signature',
  it_needs_a_public_https_address:
    'Il faut une adresse HTTPS publique. Le secret de signature est affiché une seule fois ; conservez-le sur votre serveur.',
  answer_with_2xx_once_the_signature:
    'Répondez 2xx une fois la signature vérifiée et l’événement enregistré.',
  anyone_can_send_a_request_to:
    'N’importe qui peut envoyer une requête à votre point de terminaison. Envoyez-en une avec une signature invalide : votre serveur doit répondre 4xx.',
  send_the_buyer_to_the_checkout: 'Envoyez l’acheteur vers la checkout_url de la réponse.',
  check_endpoint: 'Vérifier le point de terminaison',
  the_order_sends_a_webhook_for:
    'La commande envoie un webhook à chaque changement de statut, à commencer par pending. Les commandes créées avant l’enregistrement du point de terminaison n’en envoient pas.',
  copy_command: 'Copier la commande',
  request_id: 'ID de requête',
  x_request_id_of_the_response: 'X-Request-Id de la réponse',
  response: 'Réponse',
  succeeded_2xx: 'Réussie (2xx)',
  refused_4xx: 'Refusée (4xx)',
  failed_5xx: 'En échec (5xx)',
  request_3: 'Requête',
  duration: 'Durée',
  duration_ms_ms: '{duration_ms} ms',
  time: 'Heure',
  request_id_2: 'ID de requête',
  copy_as_curl: 'Copier en curl',
  api_requests: 'Requêtes API',
  api_requests_of_the_last_seven:
    'Requêtes API des sept derniers jours avec leurs réponses. Les corps, paramètres et jetons ne sont pas conservés. Les requêtes aux identifiants invalides ne peuvent pas vous être attribuées et ne figurent pas ici.',
  refresh: 'Actualiser',
  no_matching_requests: 'Aucune requête correspondante',
  every_response_carries_its_id_in:
    'Chaque réponse porte son ID dans X-Request-Id. Les requêtes avec un jeton invalide ne figurent pas ici. Une nouvelle requête apparaît après une ou deux secondes.',
  no_api_requests_yet: 'Aucune requête API pour le moment',
  requests_appear_as_soon_as_one: 'Les requêtes apparaissent dès qu’une de vos clés API appelle l’API.',
  create_collection_orders: 'Créer des commandes d’encaissement',
  read_collection_orders_and_their_webhooks: 'Lire les commandes d’encaissement et leurs webhooks',
  read_the_profile: 'Lire le profil',
  read_products: 'Lire les produits',
  order_from_the_catalog_on_behalf: 'Commander dans le catalogue au nom de personnes',
  read_their_catalog_orders: 'Lire leurs commandes du catalogue',
  pay_catalog_orders_on_their_behalf: 'Payer des commandes du catalogue en leur nom',
  read_those_payments: 'Lire ces paiements',
  know_who_signed_in: 'Savoir qui s’est connecté',
  know_their_email_address: 'Connaître leur adresse e-mail',
  documentation: 'Documentation',
};
