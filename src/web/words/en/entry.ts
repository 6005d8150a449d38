/** The ways in: signing in, joining, the first admin, a forgotten password, a proof that it is still them. */
export const entry = {
  signIn: {
    title: "Sign in",
    username: "Username",
    password: "Password",
    byPasskey: "Sign in with a passkey",
    otherWays: {
      lead: "You can sign in now in another way:",
      passkey: "With a passkey, by the button below.",
      mail: "With [a link by mail](/recover/mail), if your account has a mail address. You set a new password with it.",
      admin: "With a link from an admin of this community.",
    },
    forgot: "Forgot your password? Ask an admin of this community for a link.",
    forgotOrNew:
      "Forgot your password? Ask an admin of this community for a link. New here? [Join](/sign-up)",
  },
  join: {
    title: "Join",
    before: "Here before? [Sign in](/sign-in)",
    closed: "Closed at the moment",
    closedLead: "This community takes nobody in right now.",
    dead: "This invitation does not work",
    deadLead:
      "Ask the member who invited you for a new one, or [the people who run this community](/about). An invitation ends when it is used up, withdrawn or too old.",
    deadAsk: "You can also [ask to join](/sign-up) without one.",
    deadMember: "Are you a member already?",
    byInvitation: "By invitation",
    byInvitationLead: "Ask somebody who runs this community for a link. It brings you back here.",
    invited: "{inviter} invites you. It works until {when}.",
    invitedByOperator: "You are invited. It works until {when}.",
    rules: "How we are with each other here",
    agrees: "I have read this, and keep to it",
    ask: "Ask to join",
    askLead: "Those who run this community look at who joins. They read what you write here, and answer.",
    why: "Why would you like to join?",
    whyHint: "A sentence or two. Only those who run the community read it.",
    mail: "Mail address, to be told the answer",
    mailHint: "Left empty, you see the answer when you sign in here.",
    usernameHint: "Lower-case letters, digits, - and _. You can change it later.",
    name: "Name",
    nameHint: "As others see it; left empty, your username.",
    passwordHint: "At least 8 characters; a few words in a row are best.",
  },
  waiting: {
    title: "You have asked to join",
    since:
      "You asked {when}, as {username}. Those who run the community will answer; until then you cannot look around.",
    later:
      "Sign in here with your username and password to see whether they have. After thirty days it is over.",
    mailGoes: "The answer goes to {address}, too.",
    mailUnsure:
      "A mail with a link went to {address}. Once it is opened and confirmed, the answer goes there, too.",
    yours: "What you wrote",
    withdraw: "Take it back",
    approvedTitle: "You are in",
    approved: "Sign in with your username and password.",
    declinedTitle: "Not this time",
    declined: "Those who run the community did not let you in.",
    theirs: "What they say",
    forget: "Delete what is left of it",
    nothingTitle: "Nothing waits here",
    nothing:
      "This browser knows of nobody who has asked to join: it was answered a while ago, taken back, or asked in another browser. Sign in to see.",
  },
  setUp: {
    title: "Set up Guildhall",
    lead: "You are the first one here. This account runs the community.",
    button: "Open the doors",
  },
  recovery: {
    title: "A new password",
    lead: (username: string) => `For @${username}. It signs you out everywhere else.`,
    goesOn:
      "Your passkeys, access tokens, connected apps and webhook endpoints go on working. If somebody else was in your account, take away those that you do not know, under your settings, where this leads: “Secure this account” ends all of them at once.",
    endpoints: "What happens here goes on to",
    label: "New password",
    button: "Save and sign in",
  },
  proof: {
    title: "Is it you?",
    lead: (username: string) =>
      `You signed in as @${username} a while ago. What you are about to do changes who can come in or what goes out, so show once more that it is you.`,
    password: "Your password",
    goOn: "Go on",
    byPasskey: "Go on with a passkey",
    neither: "You have neither a password nor a passkey: ask an admin of this community for a link.",
    back: "Nothing was changed. [Back to your account](/settings/account)",
  },
};
