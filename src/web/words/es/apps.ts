import type { Words } from "../words.ts";
import { number } from "./forms.ts";

/** The apps of a workspace: the list, a new one, one of them. */
export const apps: Words["apps"] = {
  title: "Tus apps",
  all: "Todas las apps",
  register: "Registrar una app",
  lead: "Una app actúa en nombre de otros miembros; cada cual le da acceso y decide qué puede hacer. [Cómo funciona](/docs/oauth)",
  empty: "Todavía no hay apps",
  emptyLead:
    "Registra una cuando construyas algo para otras personas: tiene su propio nombre en la página que pide permiso, y nunca ve una contraseña. Para tus scripts basta un [token de acceso](/settings/tokens).",
  kinds: { public: "Pública", confidential: "Confidencial" },
  registered: "registrada {when}",
  suspended: "Suspendida",
  ownerSuspended: "Titular con cuenta suspendida",
  clientId: "Id de cliente",
  form: {
    guide: "La [guía de OAuth](/docs/oauth) explica cada paso y trae ejemplos que funcionan.",
    runs: "Dónde se ejecuta",
    confidential: "En un servidor mío",
    confidentialHint: "Confidencial: recibe un secreto y lo guarda donde nadie más puede mirar.",
    public: "En un navegador, un teléfono o un equipo",
    publicHint:
      "Pública: quien la tiene puede mirar dentro, así que no recibe un secreto y se identifica con PKCE. Las páginas en los orígenes de sus direcciones de retorno pueden llamar a la API (CORS).",
    workspace: "Espacio",
    workspaceHint: "Todos sus miembros pueden cambiar la app; se ve quién la registró.",
    personal: "Personal",
    button: "Registrar",
    name: "Nombre",
    nameHint: "Es lo que se lee antes de darle acceso.",
    nameExample: "Marea CI",
    homepage: "Página principal",
    homepageHint: "Una dirección https://; puede quedar vacía.",
    redirects: "Direcciones de retorno",
    redirectsHint: (most: number) =>
      `Una por línea, hasta ${number(most)}. Las personas vuelven exactamente a una de ellas: https://, http://127.0.0.1 o un esquema como com.example.app:`,
    redirectsExample: "https://ci.tidewater.example/callback",
    scopes: "Qué puede pedir",
    scopesHint: "Lo máximo que puede pedirle a un miembro; cada cual puede darle menos.",
    signing: "Cómo se firman sus tokens de identidad",
    signingHint:
      "Solo para apps con las que se inicia sesión. Todas las herramientas leen RS256; EdDSA es más pequeño, si la tuya lo conoce.",
  },
  made: {
    title: "Tu nueva app",
    copy: "Cópialo ahora: no se vuelve a mostrar. Su sitio es tu servidor y ningún otro.",
    toApp: "A la página de la app",
  },
  app: {
    leads: {
      public: "Pública, registrada {when}. [Todas las apps]({address})",
      confidential: "Confidencial, registrada {when}. [Todas las apps]({address})",
    },
    leadsOfWorkspace: {
      public: "Pública, registrada {when} en «{workspace}». [Todas las apps]({address})",
      confidential: "Confidencial, registrada {when} en «{workspace}». [Todas las apps]({address})",
    },
    origins: "Orígenes que pueden llamar a la API",
    rate: "Ritmo",
    rateOf: (sustained: number, burst: number) =>
      `${number(sustained)} solicitudes por minuto, ${number(burst)} de golpe`,
    changeTitle: "Cambiarla",
    changeLead: "Un permiso que quites desaparece al momento de todos los tokens de la app.",
    save: "Guardar",
    deleteTitle: "Eliminarla",
    deleteLead: "Quienes le dieron acceso se desconectan, y sus tokens dejan de funcionar al momento.",
    delete: "Eliminar la app",
    suspendedLead:
      "Desde el {when} ninguno de sus tokens funciona, y nadie puede darle acceso. Pregunta a quienes administran esta comunidad.",
    orphaned: "La cuenta de su titular está suspendida",
    orphanedLead:
      "Ninguno de sus tokens funciona, y nadie puede darle acceso, hasta que alguien que sea titular de su espacio pueda volver a entrar.",
  },
  secret: {
    title: "Secreto de cliente",
    lead: "Uno nuevo vale al momento; el anterior sirve 24 horas más, para que tu servidor se ponga al día. Si se filtró, crea uno nuevo dos veces.",
    before: "El anterior sirve hasta el {when}.",
    make: "Crear un secreto nuevo",
    newTitle: "Un secreto de cliente nuevo",
    copy: "Cópialo ahora: no se vuelve a mostrar.",
    back: "Volver a la app",
  },
  deletion: {
    title: "Eliminar la app",
    heading: "¿Eliminar la app?",
    lead: "{name} y todo lo que los miembros le permitieron desaparecen para siempre.",
    button: "Eliminar",
    keep: "Conservarla",
  },
  example: {
    title: "Lo que necesita saber",
    lead: "A la mayoría de las bibliotecas de OAuth les basta la primera dirección para encontrar el resto.",
    addresses: {
      issuer: "Emisor",
      authorize: "Autorización",
      token: "Token",
      device: "Dispositivo",
      metadata: "Metadatos",
    },
    first: "1. Envía aquí a una persona; vuelve a tu dirección de retorno con un código:",
    firstLabel: "La dirección a la que enviar a una persona",
    second: "2. Antes de un minuto, cambia el código por tokens:",
    secondLabel: "La solicitud de los tokens",
    challenge:
      "El desafío es el ejemplo del RFC 7636: de verdad, tu app crea cada vez uno nuevo, y un state nuevo.",
  },
};

/** The apps that somebody has let in. */
export const connected: Words["connected"] = {
  title: "Apps conectadas",
  lead: "Lo que dejas actuar en tu nombre. Al desconectar una app, sus tokens y sus webhooks se detienen al momento; tiene que volver a pedirte permiso.",
  empty: "No hay ninguna app conectada",
  emptyLead:
    "Cuando una app pide actuar en tu nombre, aquí decides qué puede hacer, y aparece en esta lista.",
  suspended: "Suspendida",
  by: "De {maker}",
  inWorkspace: "en el espacio «{workspace}»",
  connected: "Conectada {when}",
  neverUsed: "nunca usada",
  used: "usada por última vez {when}",
  locked: "Quienes administran la comunidad la han bloqueado: ninguno de sus tokens funciona.",
  endpoints: "Recibe eventos en",
  disconnect: "Desconectar",
  disconnectOf: (app: string) => `Desconectar ${app}`,
};

/** What somebody is asked before an app or a device acts as them. */
export const consent: Words["consent"] = {
  workspaceMaker: "el espacio «{name}»",
  title: "Dar acceso a una app",
  heading: "¿Dar acceso a esta app?",
  again: "¿Continuar con esta app?",
  asWho: "Actuaría como {username}, que eres tú.",
  notYou: "¿No eres tú?",
  form: "Qué puede hacer la app",
  asks: "Pide",
  asksHint: "Desactiva lo que no quieras dar.",
  deny: "Rechazar",
  allow: "Permitir",
  takeBack: "Puedes retirarlo cuando quieras en [Apps conectadas](/settings/connected).",
  card: {
    label: "La app que pide acceso",
    goesTo: "El acceso va a",
    registeredBy: "Registrada por",
    home: "Dice que su página es",
    device: "el dispositivo que te mostró el código",
    program: "un programa en este equipo ({address})",
    app: "una app en este dispositivo ({address})",
  },
  granted: "Ya lo permitiste antes",
  hears: "Por webhooks se entera cuando",
  hearsNothing: "No ocurre nada que pueda leer: no pide ningún permiso que abra un evento.",
  withScope: (scope: string) => `con ${scope}`,
  workspace: "Espacio",
  workspaceHint: "La app ve los webhooks de ese espacio.",
  personal: "Personal",
  inWorkspace: "En el espacio «{workspace}».",
  signIn: "Para continuar a {app}, entra antes aquí. Tu contraseña no sale de aquí.",
  onward: { title: "Continuar", heading: "Has entrado", goOn: "Continuar" },
  ended: {
    title: "Esta solicitud terminó",
    lead: "Una solicitud se puede responder una vez, en el plazo de una hora. Abrir esta página no le dio nada a nadie.",
    letIn: "Aquello a lo que diste acceso está en [Apps conectadas](/settings/connected).",
  },
  device: {
    title: "Conectar un dispositivo",
    lead: "Escribe el código que muestra tu dispositivo. Continúa solo si lo tienes delante.",
    code: "Código",
    codeHint: "Ocho letras",
    compare: "Compáralo con tu dispositivo, letra por letra.",
    codeExample: "WDJB-MJHT",
    goOn: "Continuar",
    warning:
      "¿Alguien te envió un código o un enlace a esta página? Entonces darías acceso a su dispositivo, en tu nombre.",
    connected: "Tus apps conectadas",
    done: "Tu dispositivo está conectado",
    doneLead: "Continúa solo en unos segundos. Puedes cerrar esta página.",
    refused: "No se dio nada",
    refusedLead: "El dispositivo no recibe acceso. Puedes cerrar esta página.",
  },
};
