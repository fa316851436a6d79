import type { Messages } from './messages.ts';

export const de: Messages = {
  page_title: '{amount} an {merchant} zahlen',
  page_title_status: '{status} · {merchant}',
  payment_to: 'Zahlung an {merchant}',
  language: 'Sprache',
  test_banner: 'Testmodus: Es wird kein Geld abgebucht.',
  offline:
    'Sie sind offline. Nichts geht verloren: Sobald die Verbindung wieder da ist, geht es hier weiter.',

  amount_due: 'Rechnungsbetrag',
  reference: 'Referenz des Händlers',
  order_number: 'Bestellnummer',
  copy_reference: 'Referenz des Händlers kopieren',
  copy_order_number: 'Bestellnummer kopieren',
  copied: 'Kopiert',
  copy_by_hand: 'Kopieren ist hier nicht möglich. Bitte markieren Sie den Text.',
  time_left: 'Verbleibende Zeit',
  time_left_announced: 'Noch {time} Zeit zum Zahlen',
  time_up: 'Die Frist wird geprüft …',

  choose_title: 'Wie möchten Sie zahlen?',
  methods: 'Zahlungsarten',
  method_no_fee: 'Keine Gebühr',
  method_fee: 'Enthält {fee} Gebühr',
  method_wait: 'bis zu {time}',
  method_test: 'Test',
  method_unavailable: 'Für diese Bestellung zurzeit nicht verfügbar',
  choose_first: 'Bitte wählen Sie zuerst eine Zahlungsart.',
  choose_method: 'Zahlungsart wählen',
  show_total: 'Gesamtbetrag anzeigen',
  breakdown: 'Das zahlen Sie',
  breakdown_paid: 'Das wurde bezahlt',
  subtotal: 'Zwischensumme',
  fee: 'Gebühr',
  total: 'Gesamtbetrag',
  ptk_debit: 'Abbuchung vom Guthaben',
  ptk_rate: 'Fester Kurs',
  ptk_rate_value: '{ptk} = {price}',
  ptk_balance: 'Ihr verfügbares Guthaben',
  pay: '{total} zahlen',
  starting: 'Einen Moment …',
  starting_announced: 'Ihre Zahlung wird gestartet.',
  redirecting: 'Weiter zur Zahlungsseite …',
  pay_once: 'Sie zahlen nur einmal, auch wenn Sie mehrmals klicken oder neu laden.',

  signed_in_as: 'Angemeldet als {name}',
  switch_account: 'Anderes Konto verwenden',
  sign_in_to_pay: 'Anmelden und zahlen',
  sign_in_needed: 'Für diese Zahlungsart melden Sie sich bitte an. Danach sind Sie gleich wieder hier.',
  balance_short: 'Ihr Guthaben reicht nicht: Es fehlen {missing}.',
  balance_advice: 'Wählen Sie eine andere Zahlungsart oder ein anderes Konto.',
  balance_advice_only:
    'Laden Sie Ihr Guthaben auf und kommen Sie auf diese Seite zurück, oder verwenden Sie ein anderes Konto.',
  balance_advice_top_up: 'Laden Sie es auf: Danach kommen Sie hierher zurück.',
  top_up_link: 'Guthaben aufladen',
  top_up_paid: 'Die PTK sind in Ihrem Guthaben.',
  top_up_go_on: 'Weiter',
  top_up_soon: 'Es geht gleich weiter.',
  self_payment:
    'Diese Bestellung gehört zu Ihrem eigenen Geschäft und kann nicht aus Ihrem eigenen Guthaben bezahlt werden. Wählen Sie eine andere Zahlungsart oder ein anderes Konto.',

  no_method_title: 'Zurzeit ist keine Zahlungsart verfügbar',
  no_method_text:
    'Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal, oder fragen Sie {merchant} nach einem anderen Zahlungsweg.',
  resume_title: 'Ihre Zahlungsseite ist geöffnet',
  resume_text:
    'Sie haben begonnen, mit {method} zu zahlen. Bis zum Ende der Frist können Sie jederzeit auf dieselbe Zahlungsseite zurückkehren.',
  resume_action: 'Weiter: {total} zahlen',
  returned_title: 'Willkommen zurück',
  returned_text:
    'Wenn Sie die Zahlung abgeschlossen haben, warten Sie bitte kurz: Die Bestätigung erscheint hier, sobald sie vorliegt. Wenn nicht, können Sie auf derselben Zahlungsseite fortfahren.',
  canceled_title: 'Es wurde nichts abgebucht',
  canceled_text:
    'Sie haben die Zahlungsseite verlassen, ohne zu zahlen. Bis zum Ende der Frist können Sie dort weitermachen.',
  other_methods: 'Andere Zahlungsart wählen',
  contact_link: '{merchant} kontaktieren',
  unresolved_title: 'Wir warten auf den Zahlungsanbieter',
  unresolved_text:
    'Noch liegt keine eindeutige Antwort vor. Bitte zahlen Sie nicht auf anderem Weg. Wir prüfen weiter, und diese Seite aktualisiert sich von selbst.',
  unresolved_action: 'Erneut prüfen',
  processing_title: 'Ihre Zahlung wird verarbeitet',
  processing_text:
    'Der Anbieter hat Ihre Zahlung angenommen und bestätigt sie später. Bei manchen Zahlungsarten dauert das einige Tage. Sie müssen nichts weiter tun und können diese Seite schließen.',
  attempt_ended_title: 'Die Zahlung kam nicht zustande',
  attempt_ended_text:
    'Der Anbieter hat bestätigt, dass diese Zahlung nicht ausgeführt wurde. Bitte gehen Sie zurück zu {merchant} und bestellen Sie neu.',
  review_title: 'Wir prüfen Ihre Zahlung',
  review_text:
    'Die Zahlungsfrist ist vorbei, und wir fragen beim Anbieter nach, was aus der Zahlung geworden ist. Bitte zahlen Sie nicht noch einmal. Diese Seite aktualisiert sich von selbst.',
  checking_title: 'Wir prüfen diese Bestellung',
  checking_text:
    'Die Antwort des Zahlungsanbieters muss genauer geprüft werden. Bitte zahlen Sie nicht noch einmal. Für Rückfragen genügt Ihre Bestellnummer.',
  paid_title: 'Zahlung bestätigt',
  paid_text: '{merchant} hat Ihre Zahlung erhalten.',
  paid_late_text: 'Ihre Zahlung kam nach Ablauf der Frist und wurde angenommen. {merchant} hat sie erhalten.',
  paid_on: 'Bezahlt am',
  paid_with: 'Bezahlt mit',
  return_soon: 'Gleich geht es zurück zu {merchant}.',
  return_link: 'Zurück zu {merchant}',
  stay: 'Auf dieser Seite bleiben',
  receipt_link: 'Beleg',
  embed_tab: 'Öffnet sich in einem neuen Tab.',
  embed_done: 'Fertig',
  tab_close:
    'Sie können diesen Tab schließen. Die Seite von {merchant}, von der Sie gekommen sind, geht von selbst weiter.',
  expired_title: 'Die Zahlungsfrist ist abgelaufen',
  expired_text:
    'Hier kann nicht mehr gezahlt werden. Wenn Sie weiterhin kaufen möchten, bestellen Sie bitte bei {merchant} neu.',
  expired_late:
    'Falls Sie schon gezahlt haben, müssen Sie nichts tun: Die Zahlung wird erkannt und hier angezeigt.',
  refunded_title: 'Diese Zahlung wurde erstattet',
  refunded_text:
    'Der volle Betrag geht auf dem Zahlungsweg zurück. Je nach Bank kann das einige Tage dauern.',
  chargeback_title: 'Diese Zahlung wurde zurückgebucht',
  chargeback_text:
    'Das Geld dieser Zahlung wurde von {merchant} zurückgeholt. Ist es noch nicht bei Ihnen, fragen Sie bitte Ihre Bank oder {merchant}.',
  reload: 'Jetzt prüfen',
  no_script: 'In Ihrem Browser aktualisiert sich diese Seite nicht von selbst. Die Frist endet: {time}.',

  notice_login_required: 'Bitte melden Sie sich an, um so zu zahlen.',
  notice_insufficient_balance: 'Ihr Guthaben reicht für diese Zahlung nicht. Es wurde nichts abgebucht.',
  notice_self_payment:
    'Händler können eigene Bestellungen nicht aus eigenem Guthaben bezahlen. Es wurde nichts abgebucht.',
  notice_pending:
    'Der Zahlungsanbieter hat noch nicht eindeutig geantwortet. Bitte warten Sie hier und zahlen Sie nicht noch einmal.',
  notice_conflict:
    'Diese Bestellung wurde bereits bezahlt oder begonnen, vielleicht in einem anderen Tab. Hier sehen Sie den Stand.',
  notice_rejected:
    'Der Zahlungsanbieter hat keine Zahlungsseite geöffnet. Es wurde nichts abgebucht. Wählen Sie eine andere Zahlungsart, oder versuchen Sie es noch einmal.',
  notice_mismatch:
    'Die Antwort des Anbieters passt nicht zu dieser Bestellung, deshalb haben wir angehalten. Bitte zahlen Sie nicht noch einmal; wir prüfen das.',
  notice_channel_unavailable:
    'Diese Zahlungsart ist zurzeit nicht verfügbar. Es wurde nichts abgebucht. Bitte wählen Sie eine andere.',
  notice_test_denied:
    'Diese Test-Zahlungsart ist für Sie nicht freigegeben. Bitte wählen Sie eine andere Zahlungsart oder ein anderes Konto.',
  notice_merchant_inactive:
    'Dieser Händler kann zurzeit keine Zahlungen annehmen. Es wurde nichts abgebucht.',
  notice_funding:
    'Der Händler kann auf diesem Weg zurzeit keine Zahlungen annehmen. Es wurde nichts abgebucht. Bitte wählen Sie eine andere Zahlungsart.',
  notice_expired: 'Die Zahlungsfrist ist abgelaufen.',
  notice_limited:
    'Das waren sehr viele Anfragen. Bitte warten Sie {seconds} und versuchen Sie es dann erneut.',
  notice_unavailable:
    'Der Dienst ist kurz nicht erreichbar. Bitte warten Sie {seconds} und versuchen Sie es dann erneut.',
  notice_unclear:
    'Wir haben keine Antwort erhalten und prüfen den Stand Ihrer Bestellung. Bitte warten Sie einen Moment, bevor Sie es noch einmal versuchen.',
  notice_not_closed:
    'Der Anbieter hat noch nicht bestätigt, dass seine Zahlungsseite geschlossen ist. Deshalb ist noch keine andere Zahlungsart möglich. Bitte versuchen Sie es gleich noch einmal.',
  notice_not_started:
    'Die Zahlung konnte nicht gestartet werden. Bitte prüfen Sie die Seite und versuchen Sie es erneut.',

  phone_title: 'Auf dem Handy fortfahren',
  phone_text: 'Scannen Sie diesen Code mit der Kamera Ihres Handys, um die Seite dort zu öffnen.',
  phone_alt: 'QR-Code, der diese Seite öffnet',
  footer: 'Kartendaten werden nie auf dieser Seite eingegeben.',

  no_page_title: 'Hier gibt es keine Seite',
  no_page_text: 'Die Adresse ist vielleicht vertippt oder veraltet.',
  to_the_start: 'Zur Startseite',
  not_found_title: 'Wir finden diese Zahlung nicht',
  not_found_text:
    'Der Link ist unvollständig oder stimmt nicht mehr. Öffnen Sie ihn bitte noch einmal aus dem Shop, oder fragen Sie den Händler nach einem neuen.',
  gone_title: 'Die Zahlungsfrist ist abgelaufen',
  gone_text: 'Hier wurde nichts abgebucht. Bitte gehen Sie zurück zum Händler und bestellen Sie neu.',
  limited_title: 'Einen Moment, bitte',
  limited_text:
    'Von Ihrem Anschluss kamen viele Anfragen. Bitte warten Sie {seconds} und versuchen Sie es dann erneut. Nichts geht verloren.',
  unavailable_title: 'Gleich wieder da',
  unavailable_text:
    'Der Dienst ist kurz nicht erreichbar. Bitte warten Sie {seconds} und versuchen Sie es dann erneut. Wenn Sie gerade gezahlt haben, zahlen Sie nicht noch einmal.',
  error_title: 'Bei uns ist etwas schiefgegangen',
  error_text:
    'Das tut uns leid. Wenn Sie gerade gezahlt haben, zahlen Sie nicht noch einmal: Öffnen Sie die Seite erneut, um den Stand Ihrer Bestellung zu sehen.',
  cross_site_title: 'Diese Anfrage kam nicht von unserer Seite',
  cross_site_text:
    'Zu Ihrer Sicherheit wurde nichts ausgeführt. Bitte öffnen Sie die Zahlungsseite erneut und machen Sie dort weiter.',
  try_again: 'Erneut versuchen',

  sign_in_title: 'Anmelden',
  sign_in_email: 'E-Mail-Adresse',
  sign_in_password: 'Passwort',
  sign_in_action: 'Anmelden',
  sign_in_invalid: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  sign_in_limited:
    'Das waren zu viele Versuche. Bitte warten Sie {seconds} und versuchen Sie es dann erneut.',
  sign_in_back: 'Zurück ohne Anmeldung',

  order_delivered_title: 'Ihre Bestellung ist abgeschlossen',
  order_delivery: 'Ihre Lieferung',
  order_preparing: '{merchant} bereitet Ihre Bestellung vor.',
  order_delivered: '{merchant} hat Ihre Bestellung geliefert.',

  receipt_title: 'Beleg',
  receipt_description: 'Beschreibung',
  receipt_status: 'Status',
  receipt_paid: 'Bezahlt',
  receipt_refunded: 'Erstattet',
  receipt_chargeback: 'Zurückgebucht',
  receipt_trade_no: 'Transaktionsnummer',
  receipt_contact: 'Kontakt des Händlers',
  receipt_print: 'Drucken',
  receipt_test: 'Testzahlung: Es wurde kein Geld abgebucht.',
  receipt_back: 'Zurück zur Zahlungsseite',
};
