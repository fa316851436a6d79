import type { Messages } from './messages.ts';

export const es: Messages = {
  page_title: 'Pagar {amount} a {merchant}',
  page_title_status: '{status} · {merchant}',
  payment_to: 'Pago a {merchant}',
  language: 'Idioma',
  test_banner: 'Modo de prueba: no se cobra dinero.',
  offline: 'No tiene conexión. No se pierde nada: esta página sigue cuando vuelva a conectarse.',

  amount_due: 'Importe de la factura',
  reference: 'Referencia del comercio',
  order_number: 'Número de pedido',
  copy_reference: 'Copiar la referencia del comercio',
  copy_order_number: 'Copiar el número de pedido',
  copied: 'Copiado',
  copy_by_hand: 'Aquí no se puede copiar. Seleccione el texto, por favor.',
  time_left: 'Tiempo para pagar',
  time_left_announced: 'Quedan {time} para pagar',
  time_up: 'Comprobando el plazo…',

  choose_title: '¿Cómo quiere pagar?',
  methods: 'Formas de pago',
  method_no_fee: 'Sin comisión',
  method_fee: 'Incluye una comisión de {fee}',
  method_wait: 'hasta {time}',
  method_test: 'Prueba',
  method_unavailable: 'No disponible para este pedido en este momento',
  choose_first: 'Elija primero una forma de pago.',
  choose_method: 'Elija una forma de pago',
  show_total: 'Ver el total',
  breakdown: 'Lo que paga',
  breakdown_paid: 'Lo que se pagó',
  subtotal: 'Subtotal',
  fee: 'Comisión',
  total: 'Total',
  ptk_debit: 'Cargo a su saldo',
  ptk_rate: 'Cambio fijado',
  ptk_rate_value: '{ptk} = {price}',
  ptk_balance: 'Su saldo disponible',
  pay: 'Pagar {total}',
  starting: 'Un momento…',
  starting_announced: 'Se está iniciando su pago.',
  redirecting: 'Le llevamos a la página de pago…',
  pay_once: 'Solo se le cobra una vez, aunque pulse o recargue varias veces.',

  signed_in_as: 'Sesión iniciada como {name}',
  switch_account: 'Usar otra cuenta',
  sign_in_to_pay: 'Iniciar sesión para pagar',
  sign_in_needed: 'Para pagar así, inicie sesión. Después vuelve directamente aquí.',
  balance_short: 'Su saldo no alcanza: faltan {missing}.',
  balance_advice: 'Elija otra forma de pago o use otra cuenta.',
  balance_advice_only: 'Recargue su saldo y vuelva a esta página, o use otra cuenta.',
  balance_advice_top_up: 'Recargue su saldo: después volverá a esta página.',
  top_up_link: 'Recargar saldo',
  top_up_paid: 'Los PTK ya están en su saldo.',
  top_up_go_on: 'Continuar',
  top_up_soon: 'Continuará en un momento.',
  self_payment:
    'Este pedido es de su propio comercio, así que no se puede pagar con su propio saldo. Elija otra forma de pago o use otra cuenta.',

  no_method_title: 'Ahora no hay ninguna forma de pago disponible',
  no_method_text:
    'No se ha cobrado nada. Inténtelo de nuevo en un momento o pregunte a {merchant} por otra manera de pagar.',
  resume_title: 'Su página de pago está abierta',
  resume_text:
    'Ha empezado a pagar con {method}. Puede volver a la misma página de pago en cualquier momento hasta que acabe el plazo.',
  resume_action: 'Seguir y pagar {total}',
  returned_title: 'Bienvenido de nuevo',
  returned_text:
    'Si ha completado el pago, espere un momento: la confirmación aparece aquí en cuanto la recibimos. Si no, puede continuar en la misma página de pago.',
  canceled_title: 'No se ha cobrado nada',
  canceled_text:
    'Ha salido de la página de pago sin pagar. Puede continuar en ella hasta que acabe el plazo.',
  other_methods: 'Elegir otra forma de pago',
  contact_link: 'Contactar con {merchant}',
  unresolved_title: 'Esperamos al proveedor de pagos',
  unresolved_text:
    'Todavía no tenemos una respuesta clara. Por favor, no pague de otra manera. Seguimos comprobándolo y esta página se actualiza sola.',
  unresolved_action: 'Comprobar de nuevo',
  processing_title: 'Su pago se está procesando',
  processing_text:
    'El proveedor ha recibido su pago y lo confirmará más tarde. Con algunas formas de pago tarda unos días. No tiene que hacer nada y puede cerrar esta página.',
  attempt_ended_title: 'El pago no se completó',
  attempt_ended_text:
    'El proveedor ha confirmado que este pago no se realizó. Vuelva a {merchant} y haga un pedido nuevo.',
  review_title: 'Estamos comprobando su pago',
  review_text:
    'El plazo para pagar ha terminado y estamos preguntando al proveedor qué ha sido del pago. Por favor, no pague otra vez. Esta página se actualiza sola.',
  checking_title: 'Estamos comprobando este pedido',
  checking_text:
    'La respuesta del proveedor de pagos necesita una revisión. Por favor, no pague otra vez. Si tiene alguna pregunta, basta con su número de pedido.',
  paid_title: 'Pago confirmado',
  paid_text: '{merchant} ha recibido su pago.',
  paid_late_text: 'Su pago llegó después del plazo y fue aceptado. {merchant} lo ha recibido.',
  paid_on: 'Pagado el',
  paid_with: 'Pagado con',
  return_soon: 'En un momento vuelve a {merchant}.',
  return_link: 'Volver a {merchant}',
  stay: 'Quedarme en esta página',
  receipt_link: 'Recibo',
  embed_tab: 'Se abre en una pestaña nueva.',
  embed_done: 'Listo',
  tab_close: 'Puede cerrar esta pestaña. La página de {merchant} desde la que llegó continúa por sí sola.',
  expired_title: 'El plazo para pagar ha terminado',
  expired_text:
    'Aquí ya no se puede pagar. Si aún quiere comprar, vuelva a {merchant} y haga un pedido nuevo.',
  expired_late: 'Si ya ha pagado, no tiene que hacer nada: el pago se reconoce y se muestra aquí.',
  refunded_title: 'Este pago fue reembolsado',
  refunded_text:
    'El importe completo vuelve por la misma vía del pago. Según su banco, puede tardar unos días.',
  chargeback_title: 'Este pago fue revertido',
  chargeback_text:
    'El dinero de este pago se retiró a {merchant}. Si aún no le ha llegado, consulte a su banco o a {merchant}.',
  reload: 'Comprobar ahora',
  no_script: 'En su navegador, esta página no se actualiza sola. El plazo termina: {time}.',

  notice_login_required: 'Inicie sesión para pagar así.',
  notice_insufficient_balance: 'Su saldo no alcanza para este pago. No se ha cobrado nada.',
  notice_self_payment:
    'Un comercio no puede pagar sus propios pedidos con su propio saldo. No se ha cobrado nada.',
  notice_pending:
    'El proveedor de pagos aún no ha respondido con claridad. Espere aquí y no pague otra vez, por favor.',
  notice_conflict:
    'Este pedido ya se pagó o se empezó a pagar, quizá en otra pestaña. Esta página muestra cómo está.',
  notice_rejected:
    'El proveedor no abrió una página de pago. No se ha cobrado nada. Elija otra forma de pago o inténtelo de nuevo.',
  notice_mismatch:
    'La respuesta del proveedor no coincide con este pedido, así que nos detuvimos. No pague otra vez, por favor; lo estamos comprobando.',
  notice_channel_unavailable:
    'Esta forma de pago no está disponible ahora. No se ha cobrado nada. Elija otra, por favor.',
  notice_test_denied:
    'Esta forma de pago de prueba no está abierta para usted. Elija otra forma de pago u otra cuenta.',
  notice_merchant_inactive: 'Este comercio no puede aceptar pagos por el momento. No se ha cobrado nada.',
  notice_funding:
    'El comercio no puede aceptar pagos de esta manera por el momento. No se ha cobrado nada. Elija otra forma de pago.',
  notice_expired: 'El plazo para pagar ha terminado.',
  notice_limited: 'Han sido muchas solicitudes. Espere {seconds} e inténtelo de nuevo.',
  notice_unavailable: 'El servicio no está disponible por un momento. Espere {seconds} e inténtelo de nuevo.',
  notice_unclear:
    'No recibimos respuesta. Estamos comprobando cómo está su pedido: espere un momento antes de intentarlo de nuevo.',
  notice_not_closed:
    'El proveedor aún no ha confirmado que su página de pago esté cerrada, así que todavía no puede usar otra forma de pago. Inténtelo de nuevo en un momento.',
  notice_not_started: 'No se pudo iniciar el pago. Revise la página e inténtelo de nuevo.',

  phone_title: 'Continuar en el móvil',
  phone_text: 'Escanee este código con la cámara de su móvil para abrir esta página allí.',
  phone_alt: 'Código QR que abre esta página',
  footer: 'Los datos de la tarjeta nunca se introducen en esta página.',

  no_page_title: 'Aquí no hay ninguna página',
  no_page_text: 'Puede que la dirección esté mal escrita o anticuada.',
  to_the_start: 'Ir al inicio',
  not_found_title: 'No encontramos este pago',
  not_found_text:
    'El enlace está incompleto o ya no es válido. Ábralo de nuevo desde la tienda o pida otro al comercio.',
  gone_title: 'El plazo para pagar ha terminado',
  gone_text: 'Aquí no se ha cobrado nada. Vuelva al comercio y haga un pedido nuevo.',
  limited_title: 'Un momento, por favor',
  limited_text:
    'Hubo muchas solicitudes desde su conexión. Espere {seconds} e inténtelo de nuevo. No se pierde nada.',
  unavailable_title: 'Volvemos enseguida',
  unavailable_text:
    'El servicio no está disponible por un momento. Espere {seconds} e inténtelo de nuevo. Si acaba de pagar, no pague otra vez.',
  error_title: 'Algo ha ido mal por nuestra parte',
  error_text:
    'Lo sentimos. Si acaba de pagar, no pague otra vez: abra la página de nuevo para ver cómo está su pedido.',
  cross_site_title: 'Esta solicitud no vino de nuestra página',
  cross_site_text: 'Por su seguridad no se ha hecho nada. Abra de nuevo la página de pago y continúe allí.',
  try_again: 'Intentar de nuevo',

  sign_in_title: 'Iniciar sesión',
  sign_in_email: 'Correo electrónico',
  sign_in_password: 'Contraseña',
  sign_in_action: 'Iniciar sesión',
  sign_in_invalid: 'El correo electrónico o la contraseña no son correctos.',
  sign_in_limited: 'Hubo demasiados intentos. Espere {seconds} e inténtelo de nuevo.',
  sign_in_back: 'Volver sin iniciar sesión',

  order_delivered_title: 'Su pedido está completo',
  order_delivery: 'Su entrega',
  order_preparing: '{merchant} está preparando su pedido.',
  order_delivered: '{merchant} ha entregado su pedido.',

  receipt_title: 'Recibo',
  receipt_description: 'Descripción',
  receipt_status: 'Estado',
  receipt_paid: 'Pagado',
  receipt_refunded: 'Reembolsado',
  receipt_chargeback: 'Revertido',
  receipt_trade_no: 'Número de transacción',
  receipt_contact: 'Contacto del comercio',
  receipt_print: 'Imprimir',
  receipt_test: 'Pago de prueba: no se cobró dinero.',
  receipt_back: 'Volver a la página de pago',
};
