// Opens the wanted page as soon as the server answers again.
const again = () => location.pathname !== "/offline" && location.reload();
addEventListener("online", again);
setInterval(async () => {
  const answer = await fetch("/offline", { cache: "no-store", credentials: "omit" }).catch(() => {});
  if (answer?.ok) again();
}, 5_000);
