import type { Messages } from './messages.ts';

export const fr: Messages = {
  page_title: 'Payer {amount} à {merchant}',
  page_title_status: '{status} · {merchant}',
  payment_to: 'Paiement à {merchant}',
  language: 'Langue',
  test_banner: 'Mode test : aucun argent n’est prélevé.',
  offline: 'Vous êtes hors ligne. Rien n’est perdu : la page reprend dès que vous êtes reconnecté.',

  amount_due: 'Montant de la facture',
  reference: 'Référence du marchand',
  order_number: 'Numéro de commande',
  copy_reference: 'Copier la référence du marchand',
  copy_order_number: 'Copier le numéro de commande',
  copied: 'Copié',
  copy_by_hand: 'La copie n’est pas possible ici. Veuillez sélectionner le texte.',
  time_left: 'Temps restant pour payer',
  time_left_announced: 'Il reste {time} pour payer',
  time_up: 'Vérification du délai…',

  choose_title: 'Comment souhaitez-vous payer ?',
  methods: 'Moyens de paiement',
  method_no_fee: 'Sans frais',
  method_fee: 'Frais de {fee} compris',
  method_wait: 'jusqu’à {time}',
  method_test: 'Test',
  method_unavailable: 'Indisponible pour cette commande pour le moment',
  choose_first: 'Veuillez d’abord choisir un moyen de paiement.',
  choose_method: 'Choisir un moyen de paiement',
  show_total: 'Afficher le total',
  breakdown: 'Ce que vous payez',
  breakdown_paid: 'Ce qui a été payé',
  subtotal: 'Sous-total',
  fee: 'Frais',
  total: 'Total',
  ptk_debit: 'Débit de votre solde',
  ptk_rate: 'Taux garanti',
  ptk_rate_value: '{ptk} = {price}',
  ptk_balance: 'Votre solde disponible',
  pay: 'Payer {total}',
  starting: 'Un instant…',
  starting_announced: 'Votre paiement est en cours de démarrage.',
  redirecting: 'Vous allez vers la page de paiement…',
  pay_once: 'Vous n’êtes débité qu’une fois, même si vous cliquez ou rechargez plusieurs fois.',

  signed_in_as: 'Connecté en tant que {name}',
  switch_account: 'Utiliser un autre compte',
  sign_in_to_pay: 'Se connecter pour payer',
  sign_in_needed: 'Pour payer ainsi, veuillez vous connecter. Vous revenez directement ici.',
  balance_short: 'Votre solde est insuffisant : il manque {missing}.',
  balance_advice: 'Choisissez un autre moyen de paiement ou un autre compte.',
  balance_advice_only: 'Rechargez votre solde puis revenez sur cette page, ou utilisez un autre compte.',
  balance_advice_top_up: 'Rechargez-le : vous reviendrez ensuite ici.',
  top_up_link: 'Recharger le solde',
  top_up_paid: 'Les PTK sont dans votre solde.',
  top_up_go_on: 'Continuer',
  top_up_soon: 'Vous continuez dans un instant.',
  self_payment:
    'Cette commande relève de votre propre commerce et ne peut pas être payée avec votre propre solde. Choisissez un autre moyen de paiement ou un autre compte.',

  no_method_title: 'Aucun moyen de paiement n’est disponible actuellement',
  no_method_text:
    'Rien n’a été débité. Réessayez dans un instant ou demandez à {merchant} un autre moyen de payer.',
  resume_title: 'Votre page de paiement est ouverte',
  resume_text:
    'Vous avez commencé à payer avec {method}. Vous pouvez revenir à la même page de paiement à tout moment avant la fin du délai.',
  resume_action: 'Continuer et payer {total}',
  returned_title: 'Vous voilà de retour',
  returned_text:
    'Si vous avez terminé le paiement, patientez : la confirmation s’affiche ici dès que nous l’avons. Sinon, vous pouvez continuer sur la même page de paiement.',
  canceled_title: 'Rien n’a été débité',
  canceled_text:
    'Vous avez quitté la page de paiement sans payer. Vous pouvez y continuer jusqu’à la fin du délai.',
  other_methods: 'Choisir un autre moyen de paiement',
  contact_link: 'Contacter {merchant}',
  unresolved_title: 'Nous attendons le prestataire de paiement',
  unresolved_text:
    'Nous n’avons pas encore de réponse claire. Merci de ne pas payer d’une autre façon. Nous continuons de vérifier et cette page se met à jour toute seule.',
  unresolved_action: 'Vérifier à nouveau',
  processing_title: 'Votre paiement est en cours de traitement',
  processing_text:
    'Le prestataire a reçu votre paiement et le confirmera plus tard. Avec certains moyens, cela prend quelques jours. Vous n’avez rien à faire et pouvez fermer cette page.',
  attempt_ended_title: 'Le paiement n’a pas abouti',
  attempt_ended_text:
    'Le prestataire a confirmé que ce paiement n’a pas eu lieu. Veuillez retourner chez {merchant} et passer une nouvelle commande.',
  review_title: 'Nous vérifions votre paiement',
  review_text:
    'Le délai de paiement est écoulé et nous demandons au prestataire ce qu’il est advenu du paiement. Merci de ne pas payer à nouveau. Cette page se met à jour toute seule.',
  checking_title: 'Nous vérifions cette commande',
  checking_text:
    'La réponse du prestataire de paiement demande un examen. Merci de ne pas payer à nouveau. Pour toute question, votre numéro de commande suffit.',
  paid_title: 'Paiement confirmé',
  paid_text: '{merchant} a reçu votre paiement.',
  paid_late_text: 'Votre paiement est arrivé après le délai et a été accepté. {merchant} l’a reçu.',
  paid_on: 'Payé le',
  paid_with: 'Payé avec',
  return_soon: 'Vous retournez chez {merchant} dans un instant.',
  return_link: 'Retour chez {merchant}',
  stay: 'Rester sur cette page',
  receipt_link: 'Reçu',
  embed_tab: 'S’ouvre dans un nouvel onglet.',
  embed_done: 'Terminé',
  tab_close: 'Vous pouvez fermer cet onglet. La page de {merchant} d’où vous venez continue d’elle-même.',
  expired_title: 'Le délai de paiement est écoulé',
  expired_text:
    'Il n’est plus possible de payer ici. Si vous souhaitez toujours acheter, retournez chez {merchant} et commandez à nouveau.',
  expired_late: 'Si vous avez déjà payé, vous n’avez rien à faire : le paiement est reconnu et affiché ici.',
  refunded_title: 'Ce paiement a été remboursé',
  refunded_text:
    'Le montant total est reversé par la voie utilisée pour payer. Selon votre banque, cela peut prendre quelques jours.',
  chargeback_title: 'Ce paiement a été rétrofacturé',
  chargeback_text:
    'L’argent de ce paiement a été repris à {merchant}. S’il ne vous est pas encore parvenu, adressez-vous à votre banque ou à {merchant}.',
  reload: 'Vérifier maintenant',
  no_script: 'Dans votre navigateur, cette page ne se met pas à jour toute seule. Fin du délai : {time}.',

  notice_login_required: 'Veuillez vous connecter pour payer ainsi.',
  notice_insufficient_balance: 'Votre solde est insuffisant pour ce paiement. Rien n’a été débité.',
  notice_self_payment:
    'Un marchand ne peut pas payer ses propres commandes avec son propre solde. Rien n’a été débité.',
  notice_pending:
    'Le prestataire de paiement n’a pas encore répondu clairement. Merci d’attendre ici et de ne pas payer à nouveau.',
  notice_conflict:
    'Cette commande a déjà été payée ou commencée, peut-être dans un autre onglet. Cette page indique où elle en est.',
  notice_rejected:
    'Le prestataire n’a pas ouvert de page de paiement. Rien n’a été débité. Choisissez un autre moyen ou réessayez.',
  notice_mismatch:
    'La réponse du prestataire ne correspond pas à cette commande ; nous nous sommes donc arrêtés. Merci de ne pas payer à nouveau, nous vérifions.',
  notice_channel_unavailable:
    'Ce moyen de paiement n’est pas disponible actuellement. Rien n’a été débité. Veuillez en choisir un autre.',
  notice_test_denied:
    'Ce moyen de test ne vous est pas ouvert. Veuillez choisir un autre moyen ou un autre compte.',
  notice_merchant_inactive:
    'Ce marchand ne peut pas accepter de paiements pour le moment. Rien n’a été débité.',
  notice_funding:
    'Le marchand ne peut pas accepter de paiements de cette façon pour le moment. Rien n’a été débité. Veuillez choisir un autre moyen.',
  notice_expired: 'Le délai de paiement est écoulé.',
  notice_limited: 'Cela fait beaucoup de demandes. Veuillez attendre {seconds} et réessayer.',
  notice_unavailable: 'Le service est brièvement indisponible. Veuillez attendre {seconds} et réessayer.',
  notice_unclear:
    'Nous n’avons pas reçu de réponse. Nous vérifions où en est votre commande : patientez un instant avant de réessayer.',
  notice_not_closed:
    'Le prestataire n’a pas encore confirmé que sa page de paiement est fermée : aucun autre moyen de paiement n’est donc possible pour l’instant. Veuillez réessayer dans un instant.',
  notice_not_started: 'Le paiement n’a pas pu démarrer. Veuillez vérifier la page et réessayer.',

  phone_title: 'Continuer sur votre téléphone',
  phone_text: 'Scannez ce code avec l’appareil photo de votre téléphone pour y ouvrir cette page.',
  phone_alt: 'Code QR qui ouvre cette page',
  footer: 'Aucune donnée de carte n’est saisie sur cette page.',

  no_page_title: 'Il n’y a pas de page ici',
  no_page_text: 'L’adresse est peut-être mal saisie ou périmée.',
  to_the_start: 'Aller à l’accueil',
  not_found_title: 'Nous ne trouvons pas ce paiement',
  not_found_text:
    'Le lien est incomplet ou n’est plus valable. Ouvrez-le à nouveau depuis la boutique ou demandez-en un autre au marchand.',
  gone_title: 'Le délai de paiement est écoulé',
  gone_text: 'Rien n’a été débité ici. Veuillez retourner chez le marchand et commander à nouveau.',
  limited_title: 'Un instant, s’il vous plaît',
  limited_text:
    'Il y a eu beaucoup de demandes depuis votre connexion. Veuillez attendre {seconds}, puis réessayer. Rien n’est perdu.',
  unavailable_title: 'De retour dans un instant',
  unavailable_text:
    'Le service est brièvement indisponible. Veuillez attendre {seconds}, puis réessayer. Si vous venez de payer, ne payez pas à nouveau.',
  error_title: 'Un problème est survenu de notre côté',
  error_text:
    'Nous en sommes désolés. Si vous venez de payer, ne payez pas à nouveau : rouvrez la page pour voir où en est votre commande.',
  cross_site_title: 'Cette demande ne venait pas de notre page',
  cross_site_text:
    'Pour votre sécurité, rien n’a été fait. Veuillez rouvrir la page de paiement et continuer là.',
  try_again: 'Réessayer',

  sign_in_title: 'Connexion',
  sign_in_email: 'Adresse e-mail',
  sign_in_password: 'Mot de passe',
  sign_in_action: 'Se connecter',
  sign_in_invalid: 'L’adresse e-mail ou le mot de passe est incorrect.',
  sign_in_limited: 'Il y a eu trop de tentatives. Veuillez attendre {seconds} et réessayer.',
  sign_in_back: 'Revenir sans se connecter',

  order_delivered_title: 'Votre commande est terminée',
  order_delivery: 'Votre livraison',
  order_preparing: '{merchant} prépare votre commande.',
  order_delivered: '{merchant} a livré votre commande.',

  receipt_title: 'Reçu',
  receipt_description: 'Description',
  receipt_status: 'État',
  receipt_paid: 'Payé',
  receipt_refunded: 'Remboursé',
  receipt_chargeback: 'Rétrofacturé',
  receipt_trade_no: 'Numéro de transaction',
  receipt_contact: 'Contact du marchand',
  receipt_print: 'Imprimer',
  receipt_test: 'Paiement de test : aucun argent n’a été prélevé.',
  receipt_back: 'Retour à la page de paiement',
};
