export interface paths {
  "/feed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List public feed posts, newest first
     * @description Replies are not in the feed. A tag or builder that nobody knows gives an empty page. Posts published while you page through neither shift nor repeat anything. Needs the scope `feed:read`.
     */
    get: operations["listFeed"];
    put?: never;
    /**
     * Publish a post as yourself
     * @description Fires `post.created`. The post is on disk when the answer arrives. Needs the scope `feed:write`.
     */
    post: operations["createPost"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/feed/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a post or reply
     * @description One that moderators hide is not there, and the replies to it with it, but for its author and for them. Needs the scope `feed:read`.
     */
    get: operations["getPost"];
    put?: never;
    post?: never;
    /**
     * Delete a post or reply of your own
     * @description Its likes and replies go with it. 403 for somebody else's. Needs the scope `feed:write`.
     */
    delete: operations["deletePost"];
    options?: never;
    head?: never;
    /**
     * Edit a post or reply of your own
     * @description What you leave out stays. What it said before stays among its revisions; an edit that changes nothing is none. Fires `post.updated` for a post that stands on the feed. A reply has no tags. Ten edits an hour and a hundred in all for each post; each counts as a post where the operator bounds how many one may publish. 403 for somebody else's; 409 where `revision` is not the current one any more, and for the hundred and first edit. Needs the scope `feed:write`.
     */
    patch: operations["editPost"];
    trace?: never;
  };
  "/feed/{id}/revisions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what a post or reply has said, newest first
     * @description The first is what it says now. Whoever may read the post may read them; one that was never edited has one. Needs the scope `feed:read`.
     */
    get: operations["listRevisions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/feed/{id}/replies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the replies to a post or reply, oldest first
     * @description Of a post of the feed all that was said under it, at whatever depth: `parent_id` tells what each answers. Of a reply what answers it. Needs the scope `feed:read`.
     */
    get: operations["listReplies"];
    put?: never;
    /**
     * Reply to a post or reply as yourself
     * @description A reply to a reply joins the conversation that it is in. Fires no event, as a reply is not on the feed. `parent_id` names what it answers, `root_id` the post of the feed above it. Needs the scope `feed:write`.
     */
    post: operations["replyToPost"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/feed/{id}/like": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Like a post or reply
     * @description Once however often it is asked. Needs the scope `feed:write`.
     */
    put: operations["likePost"];
    post?: never;
    /**
     * Take a like back
     * @description Once however often it is asked. Needs the scope `feed:write`.
     */
    delete: operations["unlikePost"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/media": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a picture
     * @description JPEG, PNG, WebP or GIF, of at most 40 megapixels and 16 MiB, by its bytes and not by its name. It is drawn anew in several sizes, upright and without what else was in the file, and is yours to show: name its `id` in the `media` of a post or reply. Until then its address opens for you alone: by your session, or by a token with `feed:read`. What no post shows is deleted after a day, and what one did with the last of them. A form of several parts (`multipart/form-data`) with `file` and `alt`. Where a GraphQL client sends pictures, it does so here too. Needs the scope `media:write`.
     */
    post: operations["sendMedia"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/{username}/follow": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Follow a builder
     * @description Once however often it is asked; they are told. At most 1,000 builders. Blocking ends it, both ways. Whoever has blocked you, and one who is suspended, is 403; one whom you have blocked, and one too many, 409; yourself 422. Needs the scope `profile:write`.
     */
    put: operations["followBuilder"];
    post?: never;
    /**
     * Follow a builder no more
     * @description Once however often it is asked. Needs the scope `profile:write`.
     */
    delete: operations["unfollowBuilder"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me/following": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List whom you follow, the latest first
     * @description Each as their public profile. Nobody else can ask. Nobody is in it who is suspended. Needs the scope `profile:read`.
     */
    get: operations["listFollowing"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/tags/{tag}/follow": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Follow a tag
     * @description Once however often it is asked, and before anybody has posted under it. At most 200 tags. What no tag can be is 404, one too many 409. Needs the scope `feed:write`.
     */
    put: operations["followTag"];
    post?: never;
    /**
     * Follow a tag no more
     * @description Once however often it is asked. Needs the scope `feed:write`.
     */
    delete: operations["unfollowTag"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me/followed-tags": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the tags that you follow, the latest first
     * @description Needs the scope `feed:read`.
     */
    get: operations["listFollowedTags"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/feed/{id}/bookmark": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Keep a post or reply
     * @description Once however often it is asked. Nobody else knows of it. Needs the scope `feed:write`.
     */
    put: operations["bookmarkPost"];
    post?: never;
    /**
     * Keep a post or reply no more
     * @description Once however often it is asked. Needs the scope `feed:write`.
     */
    delete: operations["unbookmarkPost"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/bookmarks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the posts and replies that you keep, the latest kept first
     * @description What is hidden is not among them until it is restored. Needs the scope `feed:read`.
     */
    get: operations["listBookmarks"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/jobs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search the jobs board
     * @description Ranked by relevance × recency; recency halves every 14 days. Without words, the newest first. Jobs posted while you page through neither shift nor repeat anything. Lists may be sent as `stack=a&stack=b`, `stack=a,b` or `stack[]=a&stack[]=b`. Needs the scope `jobs:read`.
     */
    get: operations["searchJobs"];
    put?: never;
    /**
     * Publish a job
     * @description It stays on the board for 60 days. `job.published` fires, and `job.matched` for the builders whose saved filters it meets. The first to name a company makes it, in the workspace of their token; afterwards only they and the members of that workspace may publish for it. 403 for everybody else; 422 where `salary.min` is above `salary.max`. Needs the scope `jobs:write`.
     */
    post: operations["publishJob"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/jobs/mine": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the jobs that you have published
     * @description In whatever state, newest first. Needs the scope `jobs:read`.
     */
    get: operations["listOwnJobs"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/jobs/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a job
     * @description A job that is closed, expired or hidden is not found, but by whoever published it, who also sees its state. Needs the scope `jobs:read`.
     */
    get: operations["getJob"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change a job, close it or open it again
     * @description For whoever published it. A field left out stays as it is; the company stays. `open`: false takes it off the board, `open`: true puts it back for what is left of its 60 days, unless they are over. An open job is matched again: builders who newly match are told, nobody is told twice. 409 where its 60 days are over. Needs the scope `jobs:write`.
     */
    patch: operations["changeJob"];
    trace?: never;
  };
  "/job-filters": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your saved filters
     * @description Newest first. Needs the scope `jobs:read`.
     */
    get: operations["listJobFilters"];
    put?: never;
    /**
     * Save a filter
     * @description From now on, each job that is published and meets it is a match of yours, and `job.matched` fires. Its parts mean what they mean in a search; what is left out asks nothing. At most twenty. 409 for the twenty-first. Needs the scope `jobs:write`.
     */
    post: operations["createJobFilter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/job-filters/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a saved filter
     * @description Needs the scope `jobs:read`.
     */
    get: operations["getJobFilter"];
    put?: never;
    post?: never;
    /**
     * Delete a saved filter
     * @description What it has matched stays a match. Needs the scope `jobs:write`.
     */
    delete: operations["deleteJobFilter"];
    options?: never;
    head?: never;
    /**
     * Change a saved filter
     * @description A field left out stays as it is; null or an empty list asks nothing any more. What it has matched stays a match. Needs the scope `jobs:write`.
     */
    patch: operations["changeJobFilter"];
    trace?: never;
  };
  "/job-matches": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the jobs that match your filters
     * @description Those on the board, the newest job first. Each job is there once, with its best filter. Needs the scope `jobs:read`.
     */
    get: operations["listJobMatches"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/prompts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the community's prompts, best first
     * @description Ordered by the Bayesian mean of the ratings (five ratings of 3.0 as the prior), then newest first, so that one vote does not outrank forty. Each in its current version. Needs the scope `prompts:read`.
     */
    get: operations["listPrompts"];
    put?: never;
    /**
     * Put a prompt into the library
     * @description Needs the scope `prompts:write`.
     */
    post: operations["submitPrompt"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/prompts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a prompt in its current version
     * @description One that moderators hide is not there, but for its author and for them. Needs the scope `prompts:read`.
     */
    get: operations["getPrompt"];
    put?: never;
    post?: never;
    /**
     * Delete a prompt of your own
     * @description Its versions and ratings go with it. 403 for somebody else's. Needs the scope `prompts:write`.
     */
    delete: operations["deletePrompt"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/prompts/{id}/versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the versions of a prompt, the current one first
     * @description Ratings belong to a version: each keeps the score that it earned. Needs the scope `prompts:read`.
     */
    get: operations["listPromptVersions"];
    put?: never;
    /**
     * Make a new version of your own prompt
     * @description What you leave out stays. The new version begins unrated, and the list shows it from now on. A prompt has a hundred versions at most. 403 for somebody else's; 409 for the hundred and first version. Needs the scope `prompts:write`.
     */
    post: operations["revisePrompt"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/prompts/{id}/rating": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Rate the current version of somebody else's prompt, or change your rating
     * @description One rating for each builder and version. 403 for your own prompt; 409 where `version` is not the current one any more. Needs the scope `prompts:write`.
     */
    put: operations["ratePrompt"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List builders, or find them by name or tag
     * @description The directory of the community, whoever came last first, each as their public profile. Nobody is in it who is suspended. Needs the scope `profile:read`.
     */
    get: operations["listProfiles"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve your own profile
     * @description The account behind the token, in the shape of any profile. Needs the scope `profile:read`.
     */
    get: operations["getOwnProfile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change your own profile
     * @description Fields that are left out stay as they are. An unknown time zone is refused as `unprocessable`. Answers with the profile as it is now; `GET /profiles/me/streak` shows the time zone. Needs the scope `profile:write`.
     */
    patch: operations["changeProfile"];
    trace?: never;
  };
  "/profiles/me/avatar": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Show a picture of your own beside your name
     * @description One that you have sent, by its id; the one before goes where no post shows it. Needs the scope `profile:write`.
     */
    put: operations["setAvatar"];
    post?: never;
    /**
     * Show your crest again
     * @description Once however often it is asked. A crest is made of your username. Needs the scope `profile:write`.
     */
    delete: operations["removeAvatar"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me/streak": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve your streak and the time zone it is counted by
     * @description A post, a reply, a prompt, a rating or a job makes a day count. A new time zone holds from the end of your day under way, so that moving neither loses a day nor gains one. Needs the scope `profile:read`.
     */
    get: operations["getStreak"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me/xp": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what your XP is made of, newest first
     * @description A ledger that is only added to: their sum is your `xp`. An unlike or a deletion is an entry of its own. Needs the scope `profile:read`.
     */
    get: operations["listXp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/{username}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a builder's public profile
     * @description Needs the scope `profile:read`.
     */
    get: operations["getProfile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me/projects": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your own projects, newest first
     * @description Needs the scope `profile:read`.
     */
    get: operations["listProjects"];
    put?: never;
    /**
     * Put a project on your profile
     * @description A profile has up to 50, and shows their ids and titles. Needs the scope `profile:write`.
     */
    post: operations["addProject"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/me/projects/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a project of yours
     * @description Needs the scope `profile:read`.
     */
    get: operations["getProject"];
    put?: never;
    post?: never;
    /**
     * Take a project off your profile
     * @description Needs the scope `profile:write`.
     */
    delete: operations["deleteProject"];
    options?: never;
    head?: never;
    /**
     * Change a project of yours
     * @description Fields that are left out stay as they are; null takes one away. Needs the scope `profile:write`.
     */
    patch: operations["changeProject"];
    trace?: never;
  };
  "/messages": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your threads, the one with the newest message first
     * @description `box` asks for those that you take part in (`inbox`) or those that strangers began and you have neither answered nor accepted (`requests`); without it, all. Needs the scope `messages:read`.
     */
    get: operations["listThreads"];
    put?: never;
    /**
     * Send a direct message to a builder
     * @description The two of you have one thread; the first message makes it, as a request of yours until they answer or accept it. Fires `dm.received` for the receiver alone. At most 20 new threads in 24 hours, 3 in your first week. A builder who does not receive messages from you is 403, one whom you have blocked 409, yourself 422, one thread too many 429. Needs the scope `messages:write`.
     */
    post: operations["sendMessage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/messages/{thread}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the messages of a thread, newest first
     * @description Reading them here leaves them unread. A thread that is not yours is 404. Needs the scope `messages:read`.
     */
    get: operations["listMessages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/messages/{thread}/read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark a thread as read, all of it or up to a message
     * @description The `unread` of the thread counts what came in after it. Needs the scope `messages:write`.
     */
    post: operations["markThreadRead"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/messages/{thread}/acceptance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Accept a request
     * @description It stands in your inbox from then on, and whoever began it may write to you where only contacts may. To answer is to accept. Accepting twice changes nothing. Needs the scope `messages:write`.
     */
    put: operations["acceptThread"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/message-settings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who may write to you
     * @description Needs the scope `messages:read`.
     */
    get: operations["getMessageSettings"];
    /**
     * Say who may write to you
     * @description `contacts` are those whom you have written to or answered, whose request you accepted, or whom you follow. Whoever may not is told what a blocked builder is told. What has come stays. Needs the scope `messages:write`.
     */
    put: operations["setMessageSettings"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/blocks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List whom you have blocked, the latest first
     * @description Needs the scope `messages:read`.
     */
    get: operations["listBlocks"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/blocks/{username}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Receive no more messages from a builder
     * @description They are not told. What was written stays. Blocking twice changes nothing. Needs the scope `messages:write`.
     */
    put: operations["blockBuilder"];
    post?: never;
    /**
     * Let a builder write to you again
     * @description Changes nothing where they were not blocked. Needs the scope `messages:write`.
     */
    delete: operations["unblockBuilder"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/notifications": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what you are told, newest first
     * @description Only what you may see: what is about a deleted or hidden thing is not there, nor what somebody did whom you have blocked, and of each kind only what your token has the scope of; what is of your account itself, such as a sign-in, no token is told. Likes, follows and ratings of one thing are one notification until you read it; a group that grows then is a new one. At most two hundred of a kind are kept, for ninety days unless the operator says otherwise. Needs the scope `notifications:read`.
     */
    get: operations["listNotifications"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/notifications/read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark notifications as read
     * @description Some by their `ids`, or all up to one, which is included. A group that has grown since it was shown stays unread. Needs the scope `notifications:write`.
     */
    post: operations["markNotificationsRead"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/notifications/settings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What you want to be told of, and how far it reaches you
     * @description Needs the scope `notifications:read`.
     */
    get: operations["getNotificationSettings"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Choose what you want to be told of
     * @description Kinds that are left out stay as they are. It holds for what happens from then on; what was told stays. Needs the scope `notifications:write`.
     */
    patch: operations["changeNotificationSettings"];
    trace?: never;
  };
  "/search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search posts, jobs, prompts and builders
     * @description In the language of the job search, with `tag:`, `author:`, `before:` and `after:` beside its words. What everybody sees is found, ranked by words and recency. Kinds that your scopes do not let you read are left out. 403 for a `kind` without the scope of its own list. Without `kind` there is no `next`. Needs one of the scopes `feed:read`, `jobs:read`, `prompts:read`, `profile:read`.
     */
    get: operations["searchEverything"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/feed/{id}/report": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Report a post or reply to the moderators
     * @description One report for each builder and thing: the same again changes its reason while it is open. Nobody but the moderators learns of it. Needs the scope `feed:read`.
     */
    put: operations["reportPost"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/jobs/{id}/report": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Report a job to the moderators
     * @description One report for each builder and thing: the same again changes its reason while it is open. Nobody but the moderators learns of it. Needs the scope `jobs:read`.
     */
    put: operations["reportJob"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/prompts/{id}/report": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Report a prompt to the moderators
     * @description One report for each builder and thing: the same again changes its reason while it is open. Nobody but the moderators learns of it. Needs the scope `prompts:read`.
     */
    put: operations["reportPrompt"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/{username}/report": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Report a builder to the moderators
     * @description One report for each builder and thing: the same again changes its reason while it is open. Nobody but the moderators learns of it. Needs the scope `profile:read`.
     */
    put: operations["reportBuilder"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/messages/{thread}/report": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Report a direct message to the moderators
     * @description One of the other builder's, their newest where none is named. The moderators are shown that message, and nothing else of the thread; nobody but them learns of it. The same again changes its reason while it is open. Needs the scope `messages:read`.
     */
    put: operations["reportMessage"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/reports": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what has been reported, newest first
     * @description Needs the scope `admin`.
     */
    get: operations["listReports"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/reports/{id}/dismissal": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Find a report unfounded
     * @description Settles all open reports about the same thing. 409 for one that was settled otherwise. Needs the scope `admin`.
     */
    put: operations["dismissReport"];
    post?: never;
    /**
     * Take a dismissal back
     * @description All the reports that it settled are open again. Needs the scope `admin`.
     */
    delete: operations["reopenReport"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/moderation/{id}/hidden": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Hide a post, reply, job or prompt
     * @description It is in no list, search or count, and there for nobody but its author, who is told, and moderators. Settles the reports about it. Where its author has deleted it, settling its reports is all that happens. To everybody else it is a 404. Needs the scope `admin`.
     */
    put: operations["hideThing"];
    post?: never;
    /**
     * Restore what was hidden
     * @description It is what it was, and the reports about it are open again. What its author has deleted stays deleted. Needs the scope `admin`.
     */
    delete: operations["restoreThing"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/profiles/{username}/suspension": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Lock a builder out
     * @description Their very next request is refused, by whatever credentials; their posts stay. Settles the reports about them. 409 for yourself. Needs the scope `admin`.
     */
    put: operations["suspendBuilder"];
    post?: never;
    /**
     * Let a builder in again
     * @description Needs the scope `admin`.
     */
    delete: operations["restoreBuilder"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the webhook endpoints of the current workspace
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["listWebhooks"];
    put?: never;
    /**
     * Register a webhook endpoint
     * @description The answer holds the signing secret, which is shown only this once. 409 where the workspace has this address already, 422 where the address is not https, is inside a private network, or an event type is unknown. Needs the scope `webhooks:write`.
     */
    post: operations["registerWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a webhook endpoint
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["getWebhook"];
    put?: never;
    post?: never;
    /**
     * Delete a webhook endpoint
     * @description What still waits to be delivered to it is dropped. Needs the scope `webhooks:write`.
     */
    delete: operations["deleteWebhook"];
    options?: never;
    head?: never;
    /**
     * Change a webhook endpoint, or switch it off and on
     * @description A field left out stays as it is. The secret stays the same. Whoever changes the `url` takes the endpoint over: private events, `dm.received` and `job.matched`, go to who gave the `url` alone. An endpoint that answered 410, or acknowledged nothing for five days, is disabled by itself; `enabled`: true resumes it. Needs the scope `webhooks:write`.
     */
    patch: operations["changeWebhook"];
    trace?: never;
  };
  "/webhooks/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook endpoint a new signing secret
     * @description The answer holds it, shown only this once. Each one from before goes on signing for 24 hours from when it was replaced, so that an answer that was lost loses nothing; five sign at most, and the refusal says when the oldest of them ends. 409 where five sign already. Needs the scope `webhooks:write`.
     */
    post: operations["rotateWebhookSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event to a webhook endpoint
     * @description A `webhook.test` event, or one of the `type` that you ask for, whatever the endpoint subscribes to: signed and sent as any other, with a payload of its schema about nothing that exists. Each identifier in it ends in 26 zeros, so that a receiver can tell. Such a test takes the scope that events of its type are read with. The answer is its delivery. Needs the scope `webhooks:write`.
     */
    post: operations["testWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook endpoint, newest first
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["listDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/deliveries/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a delivery with its attempts
     * @description Needs the scope `webhooks:read`.
     */
    get: operations["getDelivery"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/deliveries/{id}/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a delivery again now
     * @description Whether it failed, waits or was acknowledged; the whole schedule stands before it again. 409 while it is being attempted. Needs the scope `webhooks:write`.
     */
    post: operations["retryDelivery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/webhooks/{id}/recover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a range again: what failed, what was acknowledged, what was missed
     * @description By default all that failed since a moment. `state` takes what was acknowledged (too), for a receiver that lost what it had; `missed` makes deliveries for what fired while the endpoint was off or did not subscribe, of the types that it subscribes to now and since it was registered. The oldest first, by and by; each missed event gets one delivery, however often one asks. 409 where the endpoint is disabled, or six ranges of it are under way. Needs the scope `webhooks:write`.
     */
    post: operations["recoverWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Pull events instead of receiving them, oldest first
     * @description All that your workspace may see, and your token has the scope of, of the days that the operator keeps events for, 30 by default: for a receiver behind a firewall, or after an outage. Go on with `after` set to the `id` of the last event you have: none is missed, and none comes twice. With `wait` the answer comes with the first event. With `Accept: text/event-stream` the same log comes as server-sent events: each `id` is a place to go on from (`Last-Event-ID`, or `after`), `data` the event; without a place it begins now. Needs the scope `webhooks:read`.
     */
    get: operations["listEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/community": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What this community is
     * @description Its name, its rules, how one joins and how large it is. Needs no token, and tells strangers all but `counts` where the members alone read.
     */
    get: operations["getCommunity"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/openapi.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This document
     * @description Needs no token.
     */
    get: operations["getOpenApi"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  "post.created": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Somebody posts on the feed
     * @description Sent to each endpoint that subscribes to `post.created` and may hear of it, when a new post lands on the feed. Subscribing takes the scope `feed:read`. At least once: drop an `id` that you know.
     */
    post: operations["onPostCreated"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "post.updated": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A post changes, or comes back to the feed
     * @description Sent to each endpoint that subscribes to `post.updated` and may hear of it, when a post on the feed changes, or comes back to it after it was hidden. Subscribing takes the scope `feed:read`. At least once: drop an `id` that you know.
     */
    post: operations["onPostUpdated"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "post.deleted": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A post leaves the feed
     * @description Sent to each endpoint that subscribes to `post.deleted` and may hear of it, when a post leaves the feed: its author deletes it, or a moderator hides it. Subscribing takes the scope `feed:read`. At least once: drop an `id` that you know.
     */
    post: operations["onPostDeleted"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "job.published": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A job goes live on the board
     * @description Sent to each endpoint that subscribes to `job.published` and may hear of it, when a job goes live on the board. Subscribing takes the scope `jobs:read`. At least once: drop an `id` that you know.
     */
    post: operations["onJobPublished"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "job.matched": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A job matches a filter you saved
     * @description Sent to each endpoint that subscribes to `job.matched` and may hear of it, when a role matches a builder's saved filters. Subscribing takes the scope `jobs:read`. At least once: drop an `id` that you know.
     */
    post: operations["onJobMatched"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "dm.received": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Somebody sends you a message
     * @description Sent to each endpoint that subscribes to `dm.received` and may hear of it, when a builder sends a direct message to your account. Subscribing takes the scope `messages:read`. At least once: drop an `id` that you know.
     */
    post: operations["onDmReceived"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "xp.level_up": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Somebody reaches a new level
     * @description Sent to each endpoint that subscribes to `xp.level_up` and may hear of it, when a builder crosses into a new XP tier. Subscribing takes the scope `profile:read`. At least once: drop an `id` that you know.
     */
    post: operations["onXpLevelUp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "webhook.endpoint_disabled": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * One of your webhook endpoints fails for a day, or is switched off for it
     * @description Sent to each endpoint that subscribes to `webhook.endpoint_disabled` and may hear of it, when an endpoint of the workspace has acknowledged nothing for 24 hours, and again when it is disabled. Subscribing takes the scope `webhooks:read`. At least once: drop an `id` that you know.
     */
    post: operations["onWebhookEndpointDisabled"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "webhook.test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Somebody tests an endpoint
     * @description Sent to each endpoint that subscribes to `webhook.test` and may hear of it, when somebody asks for a test of an endpoint. Subscribing takes the scope `webhooks:read`. At least once: drop an `id` that you know.
     */
    post: operations["onWebhookTest"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    Error: {
      /**
       * @description The name of the error: part of the contract.
       * @enum {string}
       */
      error:
        | "bad_request"
        | "unauthorized"
        | "forbidden"
        | "not_found"
        | "conflict"
        | "precondition_failed"
        | "unprocessable"
        | "rate_limited"
        | "server_error"
        | "unavailable";
      /** @description The finer name of what is refused, as stable as `error`; new ones may come. */
      code: string;
      /** @description What the sentence of `code` is told, by name: each a string, a number or a list of strings. */
      params?: {
        [key: string]: unknown;
      };
      /** @description One sentence for a person that says what to change, made from `code` and `params`. */
      message: string;
      /**
       * Format: uri
       * @description The page that explains `code` and says what to do about it.
       */
      docs: string;
      /** @description The fields that failed. Never repeats a value that was sent. */
      details?: {
        path: string;
        code: string;
        /** @description What the sentence of `code` is told, by name: each a string, a number or a list of strings. */
        params?: {
          [key: string]: unknown;
        };
        message: string;
      }[];
    };
    Author: {
      /**
       * @description Their handle.
       * @example ada
       */
      username: string;
      /**
       * @description What they are called.
       * @example Ada Okafor
       */
      name: string;
    };
    Avatar: {
      /**
       * @description The address of their picture; null where they show none.
       * @example https://guild.example/media/9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345-480.webp
       */
      avatar: string | null;
      /**
       * @description The address of the crest that is made of their username, as SVG.
       * @example https://guild.example/crests/ada.svg
       */
      crest: string;
    };
    Block: {
      /**
       * @description Their handle.
       * @example ada
       */
      username: string;
      /**
       * @description What they are called.
       * @example Ada Okafor
       */
      name: string;
      /**
       * Format: date-time
       * @description Since when.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    BlockPage: {
      data: components["schemas"]["Block"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Bookmark: {
      /**
       * @description Whether you keep it now.
       * @example true
       */
      bookmarked: boolean;
    };
    BookmarkPage: {
      data: components["schemas"]["PostDetail"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Community: {
      /**
       * @description What it is called.
       * @example The Beekeepers
       */
      name: string;
      /**
       * @description What a stranger reads first, in Markdown.
       * @example Come in, and say what you build.
       */
      welcome: string;
      /**
       * @description How people are with each other here, in Markdown.
       * @example 1. Be kind.
       *     2. Show your work.
       */
      rules: string;
      /**
       * @description Where to reach those who run it: a mail address, or an address of the web.
       * @example hello@guild.example
       */
      contact: string | null;
      /** @description What it speaks to whoever has chosen nothing else. */
      language: "en" | "de" | "es";
      /**
       * @description Its time zone.
       * @example Europe/Berlin
       */
      time_zone: string;
      /** @description Who reads it: `everybody`, or `members` alone. */
      reading: "everybody" | "members";
      /** @description How one joins: `open` to anybody, by the `approval` of those who run it, by an `invite` link, or not at all (`closed`). */
      joining: "open" | "approval" | "invite" | "closed";
      /**
       * @description The page that says the same to people.
       * @example https://guild.example/about
       */
      about: string;
      /**
       * @description The page where one joins; null where nobody can.
       * @example https://guild.example/sign-up
       */
      sign_up: string | null;
      /** @description How large it is, as of some minutes ago; null for strangers where the members alone read. */
      counts: components["schemas"]["CommunityCounts"] | null;
      /**
       * @description What it is, in one line; empty where it says nothing.
       * @example Builders who keep bees, and the other way round.
       */
      line: string;
    };
    CommunityCounts: {
      /**
       * @description Who has an account and may come in.
       * @example 128
       */
      members: number;
      /**
       * @description Of them, who was here within the last 30 days.
       * @example 61
       */
      active_month: number;
      /**
       * @description Within the last 180 days.
       * @example 97
       */
      active_half_year: number;
      /**
       * @description Posts of the feed.
       * @example 2140
       */
      posts: number;
      /**
       * @description Replies to them.
       * @example 8205
       */
      replies: number;
      /**
       * @description Jobs on the board.
       * @example 34
       */
      jobs: number;
      /**
       * @description Prompts.
       * @example 410
       */
      prompts: number;
    };
    Company: {
      /**
       * @description What it is called.
       * @example Tidewater Systems
       */
      name: string;
      /**
       * @description Its slug.
       * @example tidewater-systems
       */
      slug: string;
    };
    CreatedPost: {
      /**
       * @description Its identifier.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      author: components["schemas"]["Author"];
      /**
       * @description Markdown, as it was sent.
       * @example # Shipped
       *
       *     The first release of our **queue** is out.
       */
      text: string;
      /**
       * @description Tag slugs.
       * @example [
       *       "rust",
       *       "shipped"
       *     ]
       */
      tags: string[];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    CreatedReply: {
      /**
       * @description Its identifier.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      author: components["schemas"]["Author"];
      /**
       * @description Markdown, as it was sent.
       * @example # Shipped
       *
       *     The first release of our **queue** is out.
       */
      text: string;
      /**
       * @description Tag slugs.
       * @example [
       *       "rust",
       *       "shipped"
       *     ]
       */
      tags: string[];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description What it answers.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      parent_id: string;
      /**
       * @description The post of the feed whose conversation it is in.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      root_id: string;
    };
    Delivery: {
      /**
       * @description Its identifier.
       * @example dlv_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description What it tells.
       * @example evt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      event_id: string;
      event_type: components["schemas"]["EventType"];
      /**
       * @description Where it goes.
       * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      endpoint_id: string;
      /**
       * @description Where it stands: attempting, awaiting_retry, acknowledged, failed.
       * @example awaiting_retry
       */
      state: "attempting" | "awaiting_retry" | "acknowledged" | "failed";
      /**
       * @description How many attempts have ended.
       * @example 1
       */
      attempts: number;
      /**
       * @description When the next attempt is due; null where none is.
       * @example 2026-11-20T09:30:30.000Z
       */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When the event happened.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description When it was acknowledged or failed for good.
       * @example null
       */
      settled_at: string | null;
      /**
       * @description Why it failed without all of its attempts, as a code (endpoint_off, subject_gone, backlog_full) and in words; null for any other.
       * @example null
       */
      given_up: {
        /** @description For programs: endpoint_off, subject_gone, backlog_full. */
        code: string;
        /** @description The same in words. */
        reason: string;
      } | null;
    };
    DeliveryDetail: {
      /**
       * @description Its identifier.
       * @example dlv_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description What it tells.
       * @example evt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      event_id: string;
      event_type: components["schemas"]["EventType"];
      /**
       * @description Where it goes.
       * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      endpoint_id: string;
      /**
       * @description Where it stands: attempting, awaiting_retry, acknowledged, failed.
       * @example awaiting_retry
       */
      state: "attempting" | "awaiting_retry" | "acknowledged" | "failed";
      /**
       * @description How many attempts have ended.
       * @example 1
       */
      attempts: number;
      /**
       * @description When the next attempt is due; null where none is.
       * @example 2026-11-20T09:30:30.000Z
       */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When the event happened.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description When it was acknowledged or failed for good.
       * @example null
       */
      settled_at: string | null;
      /**
       * @description Why it failed without all of its attempts, as a code (endpoint_off, subject_gone, backlog_full) and in words; null for any other.
       * @example null
       */
      given_up: {
        /** @description For programs: endpoint_off, subject_gone, backlog_full. */
        code: string;
        /** @description The same in words. */
        reason: string;
      } | null;
      /** @description The attempts, in order. */
      log: {
        /**
         * @description Its identifier.
         * @example att_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
        /**
         * Format: date-time
         * @description When it began.
         * @example 2026-11-20T09:30:00.002Z
         */
        started_at: string;
        /**
         * @description How long it took, in milliseconds.
         * @example 41
         */
        duration_ms: number;
        /**
         * @description The answer's status; null where none came.
         * @example 503
         */
        status: number | null;
        /**
         * @description What went wrong, in words.
         * @example The receiver answered 503.
         */
        error: string | null;
        /**
         * @description The same as a code: status, redirect, connection_timeout, connection_refused, connection_unreachable, connection_reset, tls_failed, tls_expired, tls_not_yet_valid, tls_wrong_name, tls_self_signed, tls_untrusted, tls_unverified, answer_invalid, answer_too_large, dns_not_found, dns_timeout, secret_unreadable, request_failed, not_made, url_malformed, url_not_https, url_with_credentials, url_port_refused, url_private. Null where it was acknowledged, and for attempts from before there were codes.
         * @example status
         */
        code: string | null;
        /**
         * @description The first KiB of the answer, as text; null once the words that were sent are deleted, hidden or edited.
         * @example upstream is restarting
         */
        answer: string | null;
      }[];
    };
    DeliveryPage: {
      data: components["schemas"]["Delivery"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description Fires when a builder sends a direct message to your account. */
    DmReceivedEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "dm.received";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        /**
         * @description The conversation.
         * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        thread_id: string;
        /**
         * @description Who wrote.
         * @example builder_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        from_id: string;
        /** @description The beginning of the message: at most 140 characters of plain text. */
        preview: string;
      };
    };
    EditedPost: {
      /**
       * @description Its identifier.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      author: components["schemas"]["Author"];
      /**
       * @description Markdown, as it was sent.
       * @example # Shipped
       *
       *     The first release of our **queue** is out.
       */
      text: string;
      /**
       * @description Tag slugs.
       * @example [
       *       "rust",
       *       "shipped"
       *     ]
       */
      tags: string[];
      /**
       * @description Addresses of images or short videos.
       * @example []
       */
      media: string[];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /** @description Likes and replies, counted. */
      metrics: {
        /**
         * @description How many builders like it.
         * @example 12
         */
        likes: number;
        /**
         * @description How many replies it has.
         * @example 3
         */
        replies: number;
      };
      /**
       * @description What it answers, a post or a reply, also where that is gone; null for a post of the feed.
       * @example null
       */
      parent_id: string | null;
      /**
       * @description The post of the feed whose conversation it is in; null for a post of the feed.
       * @example null
       */
      root_id: string | null;
      /**
       * @description When it was last edited; null for one that never was.
       * @example null
       */
      edited_at: string | null;
      /**
       * @description Which of its revisions this is: the newest.
       * @example rev_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      revision: string;
    };
    Event: {
      /**
       * @description Its identifier.
       * @example evt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      type: components["schemas"]["EventType"];
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description The payload of its type.
       * @example {
       *       "post": {
       *         "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
       *         "author_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
       *         "title": "Shipped",
       *         "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"
       *       }
       *     }
       */
      data: {
        [key: string]: unknown;
      };
    };
    EventPage: {
      data: components["schemas"]["Event"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /**
     * @description What happened; new types may come.
     * @enum {string}
     */
    EventType:
      | "post.created"
      | "post.updated"
      | "post.deleted"
      | "job.published"
      | "job.matched"
      | "dm.received"
      | "xp.level_up"
      | "webhook.endpoint_disabled"
      | "webhook.test";
    FollowedTag: {
      /**
       * @description The tag.
       * @example rust
       */
      tag: string;
      /**
       * Format: date-time
       * @description Since when.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    FollowedTagPage: {
      data: components["schemas"]["FollowedTag"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Following: {
      /**
       * @description Whether you follow them now.
       * @example true
       */
      following: boolean;
      /**
       * @description How many do.
       * @example 12
       */
      followers: number;
    };
    Found: {
      /**
       * @description What it is; `post` also for a reply.
       * @example post
       * @enum {string}
       */
      kind: "post" | "job" | "prompt" | "builder";
      /**
       * @description Its identifier; a builder's username.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description What it is called; of a post its first line.
       * @example Shipped
       */
      title: string;
      /**
       * @description The part of its text that was found, as HTML: nothing but escaped text, with matches in `<mark>`.
       * @example The first release of our <mark>queue</mark> is out.
       */
      snippet: string;
      /**
       * @description Its page.
       * @example https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      url: string;
      /**
       * @description The username of whoever wrote it; null for a job and for a builder.
       * @example ada
       */
      author: string | null;
      /**
       * @description For a reply the post that its conversation is under; null for everything else.
       * @example null
       */
      root_id: string | null;
      /**
       * Format: date-time
       * @description When it was published; of a builder, when they came.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    FoundPage: {
      data: components["schemas"]["Found"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description The fields from `city` on are there for whoever published it. */
    Job: {
      /** @example job_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description What is wanted.
       * @example Senior Rust Engineer
       */
      title: string;
      company: components["schemas"]["Company"];
      /**
       * @description Where, in words.
       * @example Berlin, Germany
       */
      location: string;
      /**
       * @description Stack slugs.
       * @example [
       *       "rust",
       *       "postgres"
       *     ]
       */
      stack: string[];
      salary: components["schemas"]["Salary"];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-18T08:00:00.000Z
       */
      posted_at: string;
      /**
       * @description Markdown.
       * @example You will own the storage engine of …
       */
      description: string;
      /**
       * Format: uri
       * @description Where to apply: `https://`, or `mailto:` and a mail address.
       * @example https://tidewater-systems.example.com/careers/senior-rust-engineer
       */
      apply_url: string;
      /**
       * @description City slug; null where none was named.
       * @example berlin
       */
      city?: string | null;
      /** @description Whether it is fully remote. */
      remote?: boolean;
      /**
       * @description How much experience it takes.
       * @example senior
       * @enum {string}
       */
      seniority?: "intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead";
      /**
       * @description `open`: on the board. In any other state only whoever published it finds it.
       * @enum {string}
       */
      state?: "open" | "closed" | "hidden" | "expired";
      /**
       * Format: date-time
       * @description When it leaves the board: 60 days after it was published.
       * @example 2027-01-17T08:00:00.000Z
       */
      expires_at?: string;
    };
    JobFilter: {
      /** @example flt_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description What you call it.
       * @example Rust in Berlin
       */
      name: string;
      /**
       * @description Words, as in a search; empty where none are asked for.
       * @example
       */
      q: string;
      /**
       * @description Any of these; empty where none is asked for.
       * @example [
       *       "rust"
       *     ]
       */
      stack: string[];
      /**
       * @description City slug; null asks for none.
       * @example berlin
       */
      city: string | null;
      /**
       * @description `true`: fully remote jobs, beside those of `city`; `false`: none of them; null asks nothing.
       * @example true
       */
      remote: boolean | null;
      /**
       * @description Any of these; empty where none is asked for.
       * @example [
       *       "senior",
       *       "staff"
       *     ]
       */
      seniority: ("intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead")[];
      /** @description What a job has to pay up to; null asks nothing. */
      salary: components["schemas"]["SalaryFloor"] | null;
      /**
       * Format: date-time
       * @description When it was saved.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    JobFilterPage: {
      data: components["schemas"]["JobFilter"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    JobListing: {
      /** @example job_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description What is wanted.
       * @example Senior Rust Engineer
       */
      title: string;
      company: components["schemas"]["Company"];
      /**
       * @description Where, in words.
       * @example Berlin, Germany
       */
      location: string;
      /**
       * @description Stack slugs.
       * @example [
       *       "rust",
       *       "postgres"
       *     ]
       */
      stack: string[];
      salary: components["schemas"]["Salary"];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-18T08:00:00.000Z
       */
      posted_at: string;
    };
    JobMatch: {
      job: components["schemas"]["JobListing"];
      /** @description The filter that fits best; null where it is deleted. */
      filter_id: string | null;
      /**
       * @description How well it fits, 0 to 1: the weighted mean of `why`.
       * @example 1
       */
      score: number;
      /**
       * @description The parts that the filter asks for; the score is their weighted mean.
       * @example {
       *       "stack": 1,
       *       "place": 1,
       *       "salary": 1,
       *       "seniority": 1
       *     }
       */
      why: {
        /** @description 0 to 1. 0.5 where all stand in the description alone, 1 where all stand in the title. Weighs 3. */
        words?: number;
        /** @description 0 to 1. How much of the shorter list of stacks is in the other. Weighs 3. */
        stack?: number;
        /** @description 0 to 1. 1, or 0.8 for a remote job elsewhere where a city was named. Weighs 2. */
        place?: number;
        /** @description 0 to 1. 1 where the lower end is enough, down to 0.5 where only the upper end is. Weighs 2. */
        salary?: number;
        /** @description 0 to 1. Always 1. Weighs 1. */
        seniority?: number;
      };
      /**
       * Format: date-time
       * @description When it was found.
       * @example 2026-11-20T09:30:00.000Z
       */
      matched_at: string;
    };
    JobMatchPage: {
      data: components["schemas"]["JobMatch"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description Fires when a role matches a builder's saved filters. */
    JobMatchedEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "job.matched";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        /**
         * @description The job.
         * @example job_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        job_id: string;
        /**
         * @description Whose filters it matches.
         * @example builder_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        builder_id: string;
        /** @description How well, from 0 to 1. */
        score: number;
      };
    };
    JobPage: {
      data: components["schemas"]["JobListing"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description Fires when a job goes live on the board. */
    JobPublishedEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "job.published";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        job: {
          /**
           * @description The job.
           * @example job_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          id: string;
          /** @description What it is called. */
          title: string;
          company: {
            /** @description Who offers it. */
            name: string;
            /** @description The same as a slug. */
            slug: string;
          };
          /**
           * Format: uri
           * @description Its page.
           */
          url: string;
        };
      };
    };
    Liking: {
      /**
       * @description Whether you like it now.
       * @example true
       */
      liked: boolean;
      /**
       * @description How many do.
       * @example 12
       */
      likes: number;
    };
    Media: {
      /**
       * @description What a post's `media` names it by.
       * @example med_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * Format: uri
       * @description The address of its largest size.
       * @example https://guild.example/media/9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345-1920.webp
       */
      url: string;
      /**
       * @description Of its largest size, in pixels.
       * @example 1920
       */
      width: number;
      /**
       * @description Likewise.
       * @example 1080
       */
      height: number;
      /**
       * @description What it shows, in words; empty where nothing was said.
       * @example The queue’s dashboard, all green
       */
      alt: string;
    };
    Message: {
      /**
       * @description Its identifier.
       * @example msg_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description The conversation that it is in.
       * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      thread_id: string;
      from: components["schemas"]["Author"];
      /**
       * @description Markdown, as it was sent.
       * @example Saw your queue: shall we talk?
       */
      text: string;
      /**
       * Format: date-time
       * @description When it was sent.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    MessagePage: {
      data: components["schemas"]["Message"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    MessageSettings: {
      /**
       * @description Whose messages you receive: `everybody`, `contacts` (whom you have written to or answered, or follow) or `nobody`.
       * @example contacts
       * @enum {string}
       */
      from: "everybody" | "contacts" | "nobody";
    };
    MessageThread: {
      /**
       * @description Its identifier.
       * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      with: components["schemas"]["Author"];
      /**
       * @description How many messages of the other you have not read.
       * @example 1
       */
      unread: number;
      /** @description Whether they began it and you have neither answered nor accepted it. */
      request: boolean;
      /** @description The newest message. */
      last: {
        /** @example msg_01kafzq8e5f2r8v0j3n6s1t4wx */
        id: string;
        /** @description Whether you sent it. */
        mine: boolean;
        /**
         * @description At most 140 characters of plain text.
         * @example Saw your queue: shall we talk?
         */
        preview: string;
        /**
         * Format: date-time
         * @description When it was sent.
         * @example 2026-11-20T09:30:00.000Z
         */
        created_at: string;
      };
      /**
       * Format: date-time
       * @description When it began.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    Notification: {
      /**
       * @description Its identifier.
       * @example ntf_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /** @description What happened. */
      kind:
        | "reply"
        | "mention"
        | "like"
        | "follow"
        | "job_match"
        | "prompt_rating"
        | "message"
        | "level_up"
        | "badge"
        | "report_decided"
        | "hidden"
        | "endpoint_failing"
        | "endpoint_disabled"
        | "sign_in"
        | "access_added"
        | "mail_bounced"
        | "invitation"
        | "report_waiting"
        | "application_received"
        | "member_joined"
        | "owner_changed"
        | "backup_failed";
      /**
       * Format: date-time
       * @description When; of a group, the newest of it.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Whether you have read it.
       * @example false
       */
      read: boolean;
      /**
       * @description How many facts it tells of: more than one in kinds that are grouped.
       * @example 4
       */
      count: number;
      /** @description Who did it, the newest first, ten at most; empty where nobody did, or nobody is named. */
      actors: components["schemas"]["Author"][];
      subject: components["schemas"]["NotificationSubject"];
    };
    NotificationPage: {
      data: components["schemas"]["Notification"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description How far each kind reaches you: `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox). */
    NotificationSettings: {
      /** @description Somebody answers you. */
      reply: "off" | "here" | "push" | "mail";
      /** @description Somebody names you. */
      mention: "off" | "here" | "push" | "mail";
      /** @description Somebody likes what you wrote. */
      like: "off" | "here" | "push" | "mail";
      /** @description Somebody follows you. */
      follow: "off" | "here" | "push" | "mail";
      /** @description A job fits one of your filters. */
      job_match: "off" | "here" | "push" | "mail";
      /** @description Somebody rates your prompt. */
      prompt_rating: "off" | "here" | "push" | "mail";
      /** @description Somebody new writes to you. */
      message: "off" | "here" | "push" | "mail";
      /** @description You reach a level. */
      level_up: "off" | "here" | "push" | "mail";
      /** @description You earn a badge. */
      badge: "off" | "here" | "push" | "mail";
      /** @description A report of yours was decided. */
      report_decided: "off" | "here" | "push" | "mail";
      /** @description Something of yours was hidden. */
      hidden: "off" | "here" | "push" | "mail";
      /** @description An endpoint of yours fails. */
      endpoint_failing: "off" | "here" | "push" | "mail";
      /** @description An endpoint of yours was switched off. */
      endpoint_disabled: "off" | "here" | "push" | "mail";
      /** @description Somebody signs in as you with a browser that was not there before. */
      sign_in: "off" | "here" | "push" | "mail";
      /** @description Your mailbox refuses mail. */
      mail_bounced: "off" | "here" | "push" | "mail";
      /** @description You come into a workspace, or somebody comes by your link. */
      invitation: "off" | "here" | "push" | "mail";
      /** @description Reports wait. For those who run the community. */
      report_waiting: "off" | "here" | "push" | "mail";
      /** @description Somebody asks to be let in. For those who run the community. */
      application_received: "off" | "here" | "push" | "mail";
      /** @description Somebody joins. For those who run the community. */
      member_joined: "off" | "here" | "push" | "mail";
      /** @description Somebody becomes an owner of the community. For its owners. */
      owner_changed: "off" | "here" | "push" | "mail";
      /** @description A backup failed. For those who run the community. */
      backup_failed: "off" | "here" | "push" | "mail";
    };
    /** @description What it is about. */
    NotificationSubject: {
      /** @description What kind of thing it is about. */
      type:
        | "post"
        | "prompt"
        | "job"
        | "builder"
        | "thread"
        | "endpoint"
        | "report"
        | "session"
        | "mail"
        | "access"
        | "workspace"
        | "reports"
        | "applications"
        | "members"
        | "backups";
      /**
       * @description The identifier of that.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description The page of that.
       * @example https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      url: string;
    };
    OwnJob: {
      /** @example job_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description What is wanted.
       * @example Senior Rust Engineer
       */
      title: string;
      company: components["schemas"]["Company"];
      /**
       * @description Where, in words.
       * @example Berlin, Germany
       */
      location: string;
      /**
       * @description Stack slugs.
       * @example [
       *       "rust",
       *       "postgres"
       *     ]
       */
      stack: string[];
      salary: components["schemas"]["Salary"];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-18T08:00:00.000Z
       */
      posted_at: string;
      /**
       * @description Markdown.
       * @example You will own the storage engine of …
       */
      description: string;
      /**
       * Format: uri
       * @description Where to apply: `https://`, or `mailto:` and a mail address.
       * @example https://tidewater-systems.example.com/careers/senior-rust-engineer
       */
      apply_url: string;
      /**
       * @description City slug; null where none was named.
       * @example berlin
       */
      city: string | null;
      /** @description Whether it is fully remote. */
      remote: boolean;
      /**
       * @description How much experience it takes.
       * @example senior
       * @enum {string}
       */
      seniority: "intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead";
      /**
       * @description `open`: on the board. In any other state only whoever published it finds it.
       * @enum {string}
       */
      state: "open" | "closed" | "hidden" | "expired";
      /**
       * Format: date-time
       * @description When it leaves the board: 60 days after it was published.
       * @example 2027-01-17T08:00:00.000Z
       */
      expires_at: string;
    };
    OwnJobPage: {
      data: components["schemas"]["OwnJob"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Post: {
      /**
       * @description Its identifier.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      author: components["schemas"]["Author"];
      /**
       * @description Markdown, as it was sent.
       * @example # Shipped
       *
       *     The first release of our **queue** is out.
       */
      text: string;
      /**
       * @description Tag slugs.
       * @example [
       *       "rust",
       *       "shipped"
       *     ]
       */
      tags: string[];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /** @description Likes and replies, counted. */
      metrics: {
        /**
         * @description How many builders like it.
         * @example 12
         */
        likes: number;
        /**
         * @description How many replies it has.
         * @example 3
         */
        replies: number;
      };
    };
    /** @description Fires when a new post lands on the feed. */
    PostCreatedEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "post.created";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        post: {
          /**
           * @description The post.
           * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          id: string;
          /**
           * @description Who wrote it.
           * @example builder_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          author_id: string;
          /** @description The first heading or line of its text, as plain text of at most 80 characters. */
          title: string;
          /**
           * Format: uri
           * @description Its page.
           */
          url: string;
        };
      };
    };
    /** @description Fires when a post leaves the feed: its author deletes it, or a moderator hides it. */
    PostDeletedEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "post.deleted";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        post: {
          /**
           * @description The post that is there no more.
           * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          id: string;
        };
      };
    };
    PostDetail: {
      /**
       * @description Its identifier.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      author: components["schemas"]["Author"];
      /**
       * @description Markdown, as it was sent.
       * @example # Shipped
       *
       *     The first release of our **queue** is out.
       */
      text: string;
      /**
       * @description Tag slugs.
       * @example [
       *       "rust",
       *       "shipped"
       *     ]
       */
      tags: string[];
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /** @description Likes and replies, counted. */
      metrics: {
        /**
         * @description How many builders like it.
         * @example 12
         */
        likes: number;
        /**
         * @description How many replies it has.
         * @example 3
         */
        replies: number;
      };
      /**
       * @description What it answers, a post or a reply, also where that is gone; null for a post of the feed.
       * @example null
       */
      parent_id: string | null;
      /**
       * @description The post of the feed whose conversation it is in; null for a post of the feed.
       * @example null
       */
      root_id: string | null;
      /**
       * @description When it was last edited; null for one that never was.
       * @example null
       */
      edited_at: string | null;
      /**
       * @description Which of its revisions this is: the newest.
       * @example rev_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      revision: string;
      /** @description Whether you like it. */
      liked: boolean;
      /** @description Whether you keep it among your bookmarks. */
      bookmarked: boolean;
      /** @description Whether moderators hide it: then only its author and they are shown it. */
      hidden: boolean;
    };
    PostPage: {
      data: components["schemas"]["Post"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description Fires when a post on the feed changes, or comes back to it after it was hidden. */
    PostUpdatedEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "post.updated";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        post: {
          /**
           * @description The post.
           * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          id: string;
          /**
           * @description Who wrote it.
           * @example builder_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          author_id: string;
          /** @description The first heading or line of its text, as plain text of at most 80 characters. */
          title: string;
          /**
           * Format: uri
           * @description Its page.
           */
          url: string;
        };
      };
    };
    Profile: {
      /**
       * @description Their handle.
       * @example ada
       */
      username: string;
      /**
       * @description What they are called.
       * @example Ada Okafor
       */
      name: string;
      /**
       * @description Markdown.
       * @example Compilers by day, bread by night.
       */
      bio: string;
      /**
       * @description Experience points.
       * @example 4210
       */
      xp: number;
      /**
       * @description Days in a row with activity, as of now, by the builder's own time zone.
       * @example 37
       */
      streak_days: number;
      /**
       * @description Slugs, in the order in which they were earned.
       * @example [
       *       "first-post",
       *       "streak-30"
       *     ]
       */
      badges: string[];
      /** @description What they show on their profile, oldest first. */
      projects: components["schemas"]["ProfileProject"][];
    };
    ProfilePage: {
      data: components["schemas"]["Profile"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    ProfileProject: {
      /** @example prj_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description What it is called.
       * @example tinyqueue
       */
      title: string;
    };
    Project: {
      /** @example prj_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description What it is called.
       * @example tinyqueue
       */
      title: string;
      /**
       * @description Where it can be seen.
       * @example https://tinyqueue.example.com
       */
      url: string | null;
      /**
       * @description Markdown.
       * @example A queue that fits in one file.
       */
      description: string | null;
      /**
       * Format: date-time
       * @description When it was put there.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    ProjectPage: {
      data: components["schemas"]["Project"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Prompt: {
      /**
       * @description Its identifier.
       * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description What it is for.
       * @example Review a diff like a maintainer
       */
      title: string;
      /**
       * @description The prompt itself.
       * @example You maintain this project and will live with this change for ten years …
       */
      body: string;
      /**
       * @description Model slug.
       * @example claude-sonnet
       */
      model: string;
      /**
       * @description Category slug.
       * @example code-review
       */
      category: string;
      /**
       * @description Mean of this version's ratings 1 to 5, two decimals; 0 with none.
       * @example 4.63
       */
      score: number;
      author: components["schemas"]["PromptAuthor"];
    };
    PromptAuthor: {
      /**
       * @description Their handle.
       * @example ada
       */
      username: string;
    };
    PromptDetail: {
      /**
       * @description Its identifier.
       * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description What it is for.
       * @example Review a diff like a maintainer
       */
      title: string;
      /**
       * @description The prompt itself.
       * @example You maintain this project and will live with this change for ten years …
       */
      body: string;
      /**
       * @description Model slug.
       * @example claude-sonnet
       */
      model: string;
      /**
       * @description Category slug.
       * @example code-review
       */
      category: string;
      /**
       * @description Mean of this version's ratings 1 to 5, two decimals; 0 with none.
       * @example 4.63
       */
      score: number;
      author: components["schemas"]["PromptAuthor"];
      /**
       * @description The number of the version, from 1 on.
       * @example 2
       */
      version: number;
      /**
       * @description What changed with this version; empty for the first.
       * @example Asks for tests before style.
       */
      note: string;
      /**
       * @description How many ratings this version has.
       * @example 8
       */
      ratings: number;
      /**
       * Format: date-time
       * @description When it was submitted.
       * @example 2026-11-02T18:20:00.000Z
       */
      created_at: string;
      /**
       * @description When the current version was made; null for a first one.
       * @example 2026-11-18T08:00:00.000Z
       */
      revised_at: string | null;
      /**
       * @description Your own rating of the current version; null where you gave none.
       * @example 5
       */
      stars: number | null;
      /** @description Whether moderators hide it: then only its author and they are shown it. */
      hidden: boolean;
    };
    PromptPage: {
      data: components["schemas"]["Prompt"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    PromptVersion: {
      /**
       * @description The number of the version, from 1 on.
       * @example 2
       */
      version: number;
      /**
       * @description What changed with this version; empty for the first.
       * @example Asks for tests before style.
       */
      note: string;
      /**
       * @description How many ratings this version has.
       * @example 8
       */
      ratings: number;
      /**
       * @description What it is for.
       * @example Review a diff like a maintainer
       */
      title: string;
      /**
       * @description The prompt itself.
       * @example You maintain this project and will live with this change for ten years …
       */
      body: string;
      /**
       * @description Model slug.
       * @example claude-sonnet
       */
      model: string;
      /**
       * @description Mean of this version's ratings 1 to 5, two decimals; 0 with none.
       * @example 4.63
       */
      score: number;
      /**
       * Format: date-time
       * @description When it was made.
       * @example 2026-11-18T08:00:00.000Z
       */
      created_at: string;
    };
    PromptVersionPage: {
      data: components["schemas"]["PromptVersion"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Recovery: {
      /**
       * @description Deliveries that are sent again.
       * @example 12
       */
      recovered: number;
      /** @description Events that it had no delivery of; where `missed` was asked for. */
      missed?: number;
    };
    RegisteredWebhookEndpoint: {
      /**
       * @description Its identifier.
       * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * Format: uri
       * @description Where deliveries go.
       * @example https://hooks.example.com/guildhall
       */
      url: string;
      /** @description Subscribed event types. */
      events: components["schemas"]["SubscribedEventType"][];
      /**
       * Format: date-time
       * @description When it was registered.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Since when nothing is sent to it, and why; null where deliveries go out.
       * @example null
       */
      disabled: {
        /**
         * Format: date-time
         * @description Since when.
         * @example 2026-11-20T09:30:00.000Z
         */
        at: string;
        /** @description Why, in words. */
        reason: string;
      } | null;
      owner: components["schemas"]["WebhookOwner"];
      health: components["schemas"]["WebhookHealth"];
      /**
       * @description The signing secret, shown only now: `whsec_` + base64 of 32 bytes.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string;
    };
    ReplyPage: {
      data: components["schemas"]["PostDetail"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Report: {
      /**
       * @description Its identifier.
       * @example rpt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      subject: components["schemas"]["Subject"];
      /**
       * @description What a post said when it was reported, where it says something else by now; null where it was deleted.
       * @example null
       */
      as_reported: components["schemas"]["Revision"] | null;
      /**
       * @description What is said to be wrong.
       * @example The same advertisement for the fifth time today.
       */
      reason: string;
      /**
       * @description The username of whoever reported it.
       * @example bo
       */
      reporter: string;
      /**
       * Format: date-time
       * @description When it was first reported.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description When, by whom and how; null for an open one.
       * @example null
       */
      settled: {
        /**
         * Format: date-time
         * @description When.
         * @example 2026-11-20T09:30:00.000Z
         */
        at: string;
        /** @description By whom: a username; null for the operator, and where it settled itself. */
        by: string | null;
        /**
         * @description `upheld`: hidden or suspended, or found right after it was deleted. `gone`: deleted by its author, in a report of an earlier version.
         * @enum {string}
         */
        outcome: "upheld" | "dismissed" | "gone";
      } | null;
    };
    ReportPage: {
      data: components["schemas"]["Report"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    ReportReceipt: {
      /**
       * @description Its identifier.
       * @example rpt_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      subject: {
        /**
         * @description What it is.
         * @enum {string}
         */
        type: "post" | "job" | "prompt" | "builder" | "message";
        /**
         * @description Its identifier.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      /**
       * @description What is said to be wrong.
       * @example The same advertisement for the fifth time today.
       */
      reason: string;
      /**
       * Format: date-time
       * @description When it was first reported.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    Revision: {
      /**
       * @description Its identifier.
       * @example rev_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description Markdown, as it was sent.
       * @example # Shipped
       *
       *     The first release of our **queue** is out.
       */
      text: string;
      /**
       * @description Tag slugs.
       * @example [
       *       "rust",
       *       "shipped"
       *     ]
       */
      tags: string[];
      /**
       * @description Addresses of images or short videos.
       * @example []
       */
      media: string[];
      /**
       * Format: date-time
       * @description When it was written.
       * @example 2026-11-20T09:30:00.000Z
       */
      at: string;
    };
    RevisionPage: {
      data: components["schemas"]["Revision"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    /** @description What a job pays, in whole units of the currency, a year. */
    Salary: {
      /**
       * @description The lower end.
       * @example 85000
       */
      min: number;
      /**
       * @description The upper end.
       * @example 110000
       */
      max: number;
      /**
       * @description Three capitals, such as EUR.
       * @example EUR
       */
      currency: string;
    };
    /** @description What a job pays up to at least, in whole units of that very currency, a year. */
    SalaryFloor: {
      /**
       * @description At least.
       * @example 80000
       */
      min: number;
      /**
       * @description Three capitals, such as EUR.
       * @example EUR
       */
      currency: string;
    };
    Streak: {
      /**
       * @description Days in a row, as of now; a day that is not over yet breaks nothing.
       * @example 37
       */
      streak_days: number;
      /**
       * @description The most days in a row that there ever were.
       * @example 41
       */
      longest: number;
      /** @description Whether today counts already. */
      active_today: boolean;
      /**
       * @description Your days end at midnight there.
       * @example Europe/Berlin
       */
      time_zone: string;
      /** @description The zone you have chosen since, and from when it holds; null without one. */
      next_time_zone: {
        /**
         * @description Its name in the IANA database.
         * @example Pacific/Auckland
         */
        name: string;
        /**
         * Format: date-time
         * @description From when it holds.
         * @example 2026-11-20T23:00:00.000Z
         */
        since: string;
      } | null;
    };
    Subject: {
      /**
       * @description What it is.
       * @enum {string}
       */
      type: "post" | "job" | "prompt" | "builder" | "message";
      /**
       * @description Its identifier.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * @description What it is called; null where it was deleted, and no report keeps it.
       * @example Cheap followers
       */
      title: string | null;
      /** @description The text of a message that was reported, and of anything else where it was deleted or edited since it was reported. */
      text?: string;
      /**
       * @description Whose it is: a username; null where it was deleted and no report keeps it, or is the operator's.
       * @example mallory
       */
      owner: string | null;
      /** @description Whether it is hidden, or the builder suspended. */
      hidden: boolean;
    };
    /**
     * @description A type that endpoints subscribe to; new ones may come.
     * @enum {string}
     */
    SubscribedEventType:
      | "post.created"
      | "post.updated"
      | "post.deleted"
      | "job.published"
      | "job.matched"
      | "dm.received"
      | "xp.level_up"
      | "webhook.endpoint_disabled";
    TagFollowing: {
      /**
       * @description Whether you follow it now.
       * @example true
       */
      following: boolean;
    };
    ThreadPage: {
      data: components["schemas"]["MessageThread"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
    Unread: {
      /**
       * @description How many you have not read now, counted up to a thousand.
       * @example 0
       */
      unread: number;
    };
    WebhookEndpoint: {
      /**
       * @description Its identifier.
       * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * Format: uri
       * @description Where deliveries go.
       * @example https://hooks.example.com/guildhall
       */
      url: string;
      /** @description Subscribed event types. */
      events: components["schemas"]["SubscribedEventType"][];
      /**
       * Format: date-time
       * @description When it was registered.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Since when nothing is sent to it, and why; null where deliveries go out.
       * @example null
       */
      disabled: {
        /**
         * Format: date-time
         * @description Since when.
         * @example 2026-11-20T09:30:00.000Z
         */
        at: string;
        /** @description Why, in words. */
        reason: string;
      } | null;
    };
    WebhookEndpointDetail: {
      /**
       * @description Its identifier.
       * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      id: string;
      /**
       * Format: uri
       * @description Where deliveries go.
       * @example https://hooks.example.com/guildhall
       */
      url: string;
      /** @description Subscribed event types. */
      events: components["schemas"]["SubscribedEventType"][];
      /**
       * Format: date-time
       * @description When it was registered.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Since when nothing is sent to it, and why; null where deliveries go out.
       * @example null
       */
      disabled: {
        /**
         * Format: date-time
         * @description Since when.
         * @example 2026-11-20T09:30:00.000Z
         */
        at: string;
        /** @description Why, in words. */
        reason: string;
      } | null;
      owner: components["schemas"]["WebhookOwner"];
      health: components["schemas"]["WebhookHealth"];
    };
    /** @description Fires when an endpoint of the workspace has acknowledged nothing for 24 hours, and again when it is disabled. */
    WebhookEndpointDisabledEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "webhook.endpoint_disabled";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        endpoint: {
          /**
           * @description The endpoint.
           * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          id: string;
          /**
           * Format: uri
           * @description Where its deliveries go.
           */
          url: string;
          /** @description Why, as a code that stays the same: `failing_for_a_day`, `failing_for_days`, `gone`. More may come. */
          reason: string;
          /** @description When its first failure since the last acknowledged delivery was. */
          failing_since: string | null;
          /** @description Since when nothing is sent to it; null while deliveries still go out. */
          disabled_at: string | null;
        };
      };
    };
    WebhookEndpointList: {
      data: components["schemas"]["WebhookEndpoint"][];
    };
    /** @description How it does. */
    WebhookHealth: {
      /** @description `ok`; `failing`: the last attempt failed; `disabled`: nothing is sent to it, until it is resumed. */
      state: "ok" | "failing" | "disabled";
      /**
       * @description Since when nothing was acknowledged; null where the last attempt was.
       * @example null
       */
      failing_since: string | null;
      /**
       * @description Since when nothing is sent to it.
       * @example null
       */
      disabled_at: string | null;
      /**
       * @description Why it is disabled: switched_off, switched_off_by_operator, gone, failing_for_days, account_suspended, moved. More may come.
       * @example null
       */
      code: string | null;
      /**
       * @description The same in words.
       * @example null
       */
      reason: string | null;
    };
    /** @description Whose it is. */
    WebhookOwner: {
      /**
       * @description Who gave its `url`; null where they are gone.
       * @example ada
       */
      username: string | null;
      /**
       * @description The app that did so in their name: the endpoint ends with what it was granted.
       * @example null
       */
      app: {
        /** @description The app. */
        id: string;
        /** @description What it is called. */
        name: string;
      } | null;
    };
    /** @description Fires when somebody asks for a test of an endpoint. */
    WebhookTestEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "webhook.test";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        /**
         * @description The endpoint that is tested.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        endpoint_id: string;
      };
    };
    XpEntry: {
      /** @example xp_01kafzq8e5f2r8v0j3n6s1t4wx */
      id: string;
      /**
       * @description The rule that gave the points.
       * @example post.published
       */
      reason: string;
      /**
       * @description The same for people.
       * @example Published a post
       */
      words: string;
      /**
       * @description What it was for: a post, a prompt, a job; or a day.
       * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
       */
      subject_id: string;
      /**
       * @description Negative where something is taken back.
       * @example 10
       */
      points: number;
      /**
       * Format: date-time
       * @description When.
       * @example 2026-11-20T09:30:00.000Z
       */
      created_at: string;
    };
    /** @description Fires when a builder crosses into a new XP tier. */
    XpLevelUpEvent: {
      /** @description The event: the same in every attempt, so that a repetition can be dropped. */
      id: string;
      /** @constant */
      type: "xp.level_up";
      /**
       * Format: date-time
       * @description When it fired: UTC, milliseconds, `Z`.
       */
      created_at: string;
      data: {
        /**
         * @description Who.
         * @example builder_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        user_id: string;
        /** @description The level they leave. */
        from_level: number;
        /** @description The level they reach. */
        to_level: number;
        /** @description The badge of that level. */
        badge: string;
      };
    };
    XpPage: {
      data: components["schemas"]["XpEntry"][];
      /** @description Pass it as `cursor` to get the next page; null at the end of the list. */
      next: string | null;
    };
  };
  responses: {
    /** @description Nothing changed since the ETag that was sent */
    Unchanged: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        ETag: components["headers"]["ETag"];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Malformed request or failed validation */
    Refused400: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "bad_request",
         *       "code": "not_whole",
         *       "params": {
         *         "min": 1,
         *         "max": 100
         *       },
         *       "message": "`limit` must be a whole number from 1 to 100.",
         *       "details": [
         *         {
         *           "path": "limit",
         *           "code": "not_whole",
         *           "params": {
         *             "min": 1,
         *             "max": 100
         *           },
         *           "message": "must be a whole number from 1 to 100"
         *         }
         *       ],
         *       "docs": "http://127.0.0.1:8787/docs/errors#not_whole"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Missing, expired or invalid credentials */
    Refused401: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "unauthorized",
         *       "code": "credentials_invalid",
         *       "message": "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
         *       "docs": "http://127.0.0.1:8787/docs/errors#credentials_invalid"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Authenticated but not allowed */
    Refused403: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "forbidden",
         *       "code": "scope_missing",
         *       "params": {
         *         "scope": "feed:write"
         *       },
         *       "message": "This token lacks the scope `feed:write`; make a token that has it.",
         *       "docs": "http://127.0.0.1:8787/docs/errors#scope_missing"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The resource does not exist */
    Refused404: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "not_found",
         *       "code": "endpoint_unknown",
         *       "message": "There is no webhook endpoint with that id in this workspace.",
         *       "docs": "http://127.0.0.1:8787/docs/errors#endpoint_unknown"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description State conflict, for example a duplicate */
    Refused409: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "conflict",
         *       "code": "endpoint_twice",
         *       "message": "This workspace already has an endpoint with that `url`; change that one instead.",
         *       "details": [
         *         {
         *           "path": "url",
         *           "code": "endpoint_twice",
         *           "message": "This workspace already has an endpoint with that `url`; change that one instead."
         *         }
         *       ],
         *       "docs": "http://127.0.0.1:8787/docs/errors#endpoint_twice"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The thing is no longer as the ETag in If-Match names it */
    Refused412: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "precondition_failed",
         *       "code": "changed_meanwhile",
         *       "message": "This has changed since you read it; read it again, and send your change with its new ETag.",
         *       "docs": "http://127.0.0.1:8787/docs/errors#changed_meanwhile"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Well-formed, but its meaning is refused */
    Refused422: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "unprocessable",
         *       "code": "url_not_https",
         *       "message": "The address must begin with https://.",
         *       "details": [
         *         {
         *           "path": "url",
         *           "code": "url_not_https",
         *           "message": "The address must begin with https://."
         *         }
         *       ],
         *       "docs": "http://127.0.0.1:8787/docs/errors#url_not_https"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Rate limit exceeded; wait as Retry-After says */
    Refused429: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "rate_limited",
         *       "code": "too_many_requests",
         *       "params": {
         *         "seconds": 1
         *       },
         *       "message": "Too many requests; wait 1 second and try again.",
         *       "docs": "http://127.0.0.1:8787/docs/errors#too_many_requests"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Unexpected error; safe to retry with backoff */
    Refused500: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": "server_error",
         *       "code": "fault_of_ours",
         *       "message": "Something went wrong on our side; retry with backoff, and quote the request id.",
         *       "docs": "http://127.0.0.1:8787/docs/errors#fault_of_ours"
         *     }
         */
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Names this request in the log. An id that you send is kept. */
    "X-Request-Id": string;
    /** @description Requests that a rested caller may send at once. */
    "X-RateLimit-Limit": number;
    /** @description Whole requests left now. */
    "X-RateLimit-Remaining": number;
    /** @description When all of them are back: Unix time in seconds. */
    "X-RateLimit-Reset": number;
    /** @description Seconds to wait. After 429 the next request succeeds; on 409 it stands where the same key is still in flight. */
    "Retry-After": number;
    /** @description Send it back in If-None-Match: 304 where nothing changed. */
    ETag: string;
    /** @description The address of what was made, relative to the host. */
    Location: string;
    /** @description Of a list: the next page, with `rel="next"`; left out on the last (RFC 8288). */
    Link: string;
    /** @description What the credentials lack; on 403 the scope, where one is missing (RFC 6750). */
    "WWW-Authenticate": string;
    /** @description `true` where this is the first answer again. */
    "Idempotency-Replayed": "true";
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listFeed: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only posts with this tag. */
        tag?: string;
        /** @description Only posts of this builder: a username without @, in any case. */
        author?: string;
        /** @description Only posts created after this moment. */
        since?: string;
        /** @description Only posts of builders whom you follow, or with a tag that you follow, and none of your own. */
        following?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the feed */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "author": {
           *             "username": "ada",
           *             "name": "Ada Okafor"
           *           },
           *           "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *           "tags": [
           *             "rust",
           *             "shipped"
           *           ],
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "metrics": {
           *             "likes": 12,
           *             "replies": 3
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["PostPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  createPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example # Shipped
           *
           *     The first release of our **queue** is out.
           */
          text: string;
          /**
           * @description Tag slugs; repeated ones count once.
           * @example [
           *       "rust",
           *       "shipped"
           *     ]
           */
          tags?: string[];
          /**
           * @description Addresses of images or short videos, and ids of pictures that you have sent (`med_…`).
           * @example [
           *       "https://images.example.com/queue.png"
           *     ]
           */
          media?: string[];
        };
      };
    };
    responses: {
      /** @description The post */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "author": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *       "tags": [
           *         "rust",
           *         "shipped"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["CreatedPost"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getPost: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The post */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "author": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *       "tags": [
           *         "rust",
           *         "shipped"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "metrics": {
           *         "likes": 12,
           *         "replies": 3
           *       },
           *       "parent_id": null,
           *       "root_id": null,
           *       "edited_at": null,
           *       "revision": "rev_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "liked": false,
           *       "bookmarked": false,
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["PostDetail"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  deletePost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  editPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example # Shipped
           *
           *     The first release of our **queue** is out.
           */
          text?: string;
          /**
           * @description Tag slugs; repeated ones count once.
           * @example [
           *       "rust",
           *       "shipped"
           *     ]
           */
          tags?: string[];
          /**
           * @description Addresses of images or short videos, and ids of pictures that you have sent (`med_…`).
           * @example [
           *       "https://images.example.com/queue.png"
           *     ]
           */
          media?: string[];
          /**
           * @description The revision that you have read. Left out, whichever is current. Unlike the ETag it does not change with likes and replies.
           * @example rev_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          revision?: string;
        };
      };
    };
    responses: {
      /** @description The post as it is now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "author": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *       "tags": [
           *         "rust",
           *         "shipped"
           *       ],
           *       "media": [],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "metrics": {
           *         "likes": 12,
           *         "replies": 3
           *       },
           *       "parent_id": null,
           *       "root_id": null,
           *       "edited_at": "2026-11-20T09:41:00.000Z",
           *       "revision": "rev_01kafzrw3te8n8z5s3b2d7q9hx"
           *     }
           */
          "application/json": components["schemas"]["EditedPost"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listRevisions: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of revisions */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "rev_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *           "tags": [
           *             "rust",
           *             "shipped"
           *           ],
           *           "media": [],
           *           "at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["RevisionPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listReplies: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the conversation */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "author": {
           *             "username": "ada",
           *             "name": "Ada Okafor"
           *           },
           *           "text": "Congratulations! Does it keep the order?",
           *           "tags": [],
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "metrics": {
           *             "likes": 12,
           *             "replies": 3
           *           },
           *           "parent_id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "root_id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "edited_at": null,
           *           "revision": "rev_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "liked": false,
           *           "bookmarked": false,
           *           "hidden": false
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["ReplyPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  replyToPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example Congratulations! Does it keep the order?
           */
          text: string;
          /**
           * @description Addresses of images or short videos, and ids of pictures that you have sent (`med_…`).
           * @example [
           *       "https://images.example.com/queue.png"
           *     ]
           */
          media?: string[];
        };
      };
    };
    responses: {
      /** @description The reply */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "author": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "text": "Congratulations! Does it keep the order?",
           *       "tags": [],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "parent_id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "root_id": "post_01kafzq8e5f2r8v0j3n6s1t4wx"
           *     }
           */
          "application/json": components["schemas"]["CreatedReply"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  likePost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you like it, and how many do */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "liked": true,
           *       "likes": 12
           *     }
           */
          "application/json": components["schemas"]["Liking"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  unlikePost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you do not like it, and how many do */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "liked": false,
           *       "likes": 11
           *     }
           */
          "application/json": components["schemas"]["Liking"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  sendMedia: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          /**
           * Format: binary
           * @description The file itself.
           */
          file: string;
          /**
           * @description What the picture shows, in words, for whoever does not see it.
           * @example The queue’s dashboard, all green
           */
          alt?: string;
        };
      };
    };
    responses: {
      /** @description The picture */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "med_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://guild.example/media/9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345-1920.webp",
           *       "width": 1920,
           *       "height": 1080,
           *       "alt": "The queue’s dashboard, all green"
           *     }
           */
          "application/json": components["schemas"]["Media"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  followBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example cy
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you follow them, and how many do */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "following": true,
           *       "followers": 12
           *     }
           */
          "application/json": components["schemas"]["Following"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  unfollowBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example cy
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you do not follow them, and how many do */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "following": false,
           *       "followers": 11
           *     }
           */
          "application/json": components["schemas"]["Following"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listFollowing: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of those you follow */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "username": "ada",
           *           "name": "Ada Okafor",
           *           "bio": "Compilers by day, bread by night.",
           *           "xp": 4210,
           *           "streak_days": 37,
           *           "badges": [
           *             "first-post",
           *             "streak-30"
           *           ],
           *           "projects": [
           *             {
           *               "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *               "title": "tinyqueue"
           *             }
           *           ]
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["ProfilePage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  followTag: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The tag's slug.
         * @example rust
         */
        tag: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you follow it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "following": true
           *     }
           */
          "application/json": components["schemas"]["TagFollowing"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  unfollowTag: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The tag's slug.
         * @example rust
         */
        tag: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you do not follow it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "following": false
           *     }
           */
          "application/json": components["schemas"]["TagFollowing"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listFollowedTags: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the tags you follow */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "tag": "rust",
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["FollowedTagPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  bookmarkPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you keep it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "bookmarked": true
           *     }
           */
          "application/json": components["schemas"]["Bookmark"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  unbookmarkPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post or reply.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description That you do not keep it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "bookmarked": false
           *     }
           */
          "application/json": components["schemas"]["Bookmark"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listBookmarks: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of your bookmarks */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "author": {
           *             "username": "ada",
           *             "name": "Ada Okafor"
           *           },
           *           "text": "# Shipped\n\nThe first release of our **queue** is out.",
           *           "tags": [
           *             "rust",
           *             "shipped"
           *           ],
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "metrics": {
           *             "likes": 12,
           *             "replies": 3
           *           },
           *           "parent_id": null,
           *           "root_id": null,
           *           "edited_at": null,
           *           "revision": "rev_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "liked": false,
           *           "bookmarked": false,
           *           "hidden": false
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["BookmarkPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  searchJobs: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Words to find in title and description: all of them. `"quoted phrases"` and a trailing `*` work; no input is a syntax error. */
        q?: string;
        /** @description Stack slugs, any of. */
        stack?: string[];
        /** @description City slug; with `remote=true`, that city or fully remote. */
        city?: string;
        /** @description `true`: fully remote roles, beside those of `city` where it is given. `false`: none of them. */
        remote?: boolean;
        /** @description Any of these levels. */
        seniority?: ("intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead")[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of jobs */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "Senior Rust Engineer",
           *           "company": {
           *             "name": "Tidewater Systems",
           *             "slug": "tidewater-systems"
           *           },
           *           "location": "Berlin, Germany",
           *           "stack": [
           *             "rust",
           *             "postgres"
           *           ],
           *           "salary": {
           *             "min": 85000,
           *             "max": 110000,
           *             "currency": "EUR"
           *           },
           *           "posted_at": "2026-11-18T08:00:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["JobPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  publishJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example Senior Rust Engineer */
          title: string;
          /** @example Berlin, Germany */
          location: string;
          /**
           * @description Fully remote.
           * @example false
           */
          remote: boolean;
          /**
           * @description How much experience it takes.
           * @example senior
           * @enum {string}
           */
          seniority: "intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead";
          /**
           * @example [
           *       "rust",
           *       "postgres"
           *     ]
           */
          stack: string[];
          /**
           * @description Whole units of the currency, a year.
           * @example {
           *       "min": 85000,
           *       "max": 110000,
           *       "currency": "EUR"
           *     }
           */
          salary: {
            min: number;
            max: number;
            currency: string;
          };
          /**
           * @description Markdown.
           * @example You will own the **storage engine**.
           */
          description: string;
          /**
           * Format: uri
           * @example https://tidewater-systems.example.com/careers/1
           */
          apply_url: string;
          /**
           * @description Made on first use of the slug, in your workspace; from then on its name stands.
           * @example {
           *       "name": "Tidewater Systems",
           *       "slug": "tidewater-systems"
           *     }
           */
          company: {
            name: string;
            slug: string;
          };
          /**
           * @description May be left out where the job is fully remote.
           * @example berlin
           */
          city?: string;
        };
      };
    };
    responses: {
      /** @description The job */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Senior Rust Engineer",
           *       "company": {
           *         "name": "Tidewater Systems",
           *         "slug": "tidewater-systems"
           *       },
           *       "location": "Berlin, Germany",
           *       "stack": [
           *         "rust",
           *         "postgres"
           *       ],
           *       "salary": {
           *         "min": 85000,
           *         "max": 110000,
           *         "currency": "EUR"
           *       },
           *       "posted_at": "2026-11-18T08:00:00.000Z",
           *       "description": "You will own the storage engine of …",
           *       "apply_url": "https://tidewater-systems.example.com/careers/senior-rust-engineer",
           *       "city": "berlin",
           *       "remote": false,
           *       "seniority": "senior",
           *       "state": "open",
           *       "expires_at": "2027-01-17T08:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["OwnJob"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listOwnJobs: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of jobs */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "Senior Rust Engineer",
           *           "company": {
           *             "name": "Tidewater Systems",
           *             "slug": "tidewater-systems"
           *           },
           *           "location": "Berlin, Germany",
           *           "stack": [
           *             "rust",
           *             "postgres"
           *           ],
           *           "salary": {
           *             "min": 85000,
           *             "max": 110000,
           *             "currency": "EUR"
           *           },
           *           "posted_at": "2026-11-18T08:00:00.000Z",
           *           "description": "You will own the storage engine of …",
           *           "apply_url": "https://tidewater-systems.example.com/careers/senior-rust-engineer",
           *           "city": "berlin",
           *           "remote": false,
           *           "seniority": "senior",
           *           "state": "open",
           *           "expires_at": "2027-01-17T08:00:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["OwnJobPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The job's identifier.
         * @example job_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Senior Rust Engineer",
           *       "company": {
           *         "name": "Tidewater Systems",
           *         "slug": "tidewater-systems"
           *       },
           *       "location": "Berlin, Germany",
           *       "stack": [
           *         "rust",
           *         "postgres"
           *       ],
           *       "salary": {
           *         "min": 85000,
           *         "max": 110000,
           *         "currency": "EUR"
           *       },
           *       "posted_at": "2026-11-18T08:00:00.000Z",
           *       "description": "You will own the storage engine of …",
           *       "apply_url": "https://tidewater-systems.example.com/careers/senior-rust-engineer"
           *     }
           */
          "application/json": components["schemas"]["Job"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The job's identifier.
         * @example job_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example Senior Rust Engineer */
          title?: string;
          /** @example Berlin, Germany */
          location?: string;
          /**
           * @description Fully remote.
           * @example false
           */
          remote?: boolean;
          /**
           * @description How much experience it takes.
           * @example senior
           * @enum {string}
           */
          seniority?: "intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead";
          /**
           * @example [
           *       "rust",
           *       "postgres"
           *     ]
           */
          stack?: string[];
          /**
           * @description Whole units of the currency, a year.
           * @example {
           *       "min": 85000,
           *       "max": 110000,
           *       "currency": "EUR"
           *     }
           */
          salary?: {
            min: number;
            max: number;
            currency: string;
          };
          /**
           * @description Markdown.
           * @example You will own the **storage engine**.
           */
          description?: string;
          /**
           * Format: uri
           * @example https://tidewater-systems.example.com/careers/1
           */
          apply_url?: string;
          /**
           * @description null for none.
           * @example berlin
           */
          city?: string | null;
          /**
           * @description `false` takes the job off the board, `true` puts it back for what is left of its 60 days.
           * @example true
           */
          open?: boolean;
        };
      };
    };
    responses: {
      /** @description The job as it is now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Senior Rust Engineer",
           *       "company": {
           *         "name": "Tidewater Systems",
           *         "slug": "tidewater-systems"
           *       },
           *       "location": "Berlin, Germany",
           *       "stack": [
           *         "rust",
           *         "postgres"
           *       ],
           *       "salary": {
           *         "min": 85000,
           *         "max": 110000,
           *         "currency": "EUR"
           *       },
           *       "posted_at": "2026-11-18T08:00:00.000Z",
           *       "description": "You will own the storage engine of …",
           *       "apply_url": "https://tidewater-systems.example.com/careers/senior-rust-engineer",
           *       "city": "berlin",
           *       "remote": false,
           *       "seniority": "senior",
           *       "state": "open",
           *       "expires_at": "2027-01-17T08:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["OwnJob"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listJobFilters: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of filters */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "name": "Rust in Berlin",
           *           "q": "",
           *           "stack": [
           *             "rust"
           *           ],
           *           "city": "berlin",
           *           "remote": true,
           *           "seniority": [
           *             "senior",
           *             "staff"
           *           ],
           *           "salary": {
           *             "min": 80000,
           *             "currency": "EUR"
           *           },
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["JobFilterPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  createJobFilter: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example Rust in Berlin */
          name: string;
          /**
           * @description Words to find in title and description: all of them. `"quoted phrases"` and a trailing `*` work; no input is a syntax error.
           * @example rust "distributed systems" engin*
           */
          q?: string;
          /**
           * @description Stack slugs, any of.
           * @example [
           *       "rust",
           *       "postgres"
           *     ]
           */
          stack?: string[];
          /**
           * @description with `remote`: true, that city or fully remote
           * @example berlin
           */
          city?: string | null;
          /**
           * @description `true`: fully remote jobs; `false`: none of them
           * @example true
           */
          remote?: boolean | null;
          /**
           * @description Any of these levels.
           * @example [
           *       "senior",
           *       "staff"
           *     ]
           */
          seniority?: ("intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead")[];
          /**
           * @description jobs that pay up to at least `min`, in whole units of that currency a year; nothing is converted
           * @example {
           *       "min": 80000,
           *       "currency": "EUR"
           *     }
           */
          salary?: {
            min: number;
            currency: string;
          } | null;
        };
      };
    };
    responses: {
      /** @description The filter */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "name": "Rust in Berlin",
           *       "q": "",
           *       "stack": [
           *         "rust"
           *       ],
           *       "city": "berlin",
           *       "remote": true,
           *       "seniority": [
           *         "senior",
           *         "staff"
           *       ],
           *       "salary": {
           *         "min": 80000,
           *         "currency": "EUR"
           *       },
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["JobFilter"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getJobFilter: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The filter's identifier.
         * @example flt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The filter */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "name": "Rust in Berlin",
           *       "q": "",
           *       "stack": [
           *         "rust"
           *       ],
           *       "city": "berlin",
           *       "remote": true,
           *       "seniority": [
           *         "senior",
           *         "staff"
           *       ],
           *       "salary": {
           *         "min": 80000,
           *         "currency": "EUR"
           *       },
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["JobFilter"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  deleteJobFilter: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The filter's identifier.
         * @example flt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeJobFilter: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The filter's identifier.
         * @example flt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example Rust in Berlin */
          name?: string;
          /**
           * @description Words to find in title and description: all of them. `"quoted phrases"` and a trailing `*` work; no input is a syntax error.
           * @example rust "distributed systems" engin*
           */
          q?: string;
          /**
           * @description Stack slugs, any of.
           * @example [
           *       "rust",
           *       "postgres"
           *     ]
           */
          stack?: string[];
          /**
           * @description with `remote`: true, that city or fully remote
           * @example berlin
           */
          city?: string | null;
          /**
           * @description `true`: fully remote jobs; `false`: none of them
           * @example true
           */
          remote?: boolean | null;
          /**
           * @description Any of these levels.
           * @example [
           *       "senior",
           *       "staff"
           *     ]
           */
          seniority?: ("intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead")[];
          /**
           * @description jobs that pay up to at least `min`, in whole units of that currency a year; nothing is converted
           * @example {
           *       "min": 80000,
           *       "currency": "EUR"
           *     }
           */
          salary?: {
            min: number;
            currency: string;
          } | null;
        };
      };
    };
    responses: {
      /** @description The filter as it is now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "name": "Rust in Berlin",
           *       "q": "",
           *       "stack": [
           *         "rust"
           *       ],
           *       "city": "berlin",
           *       "remote": true,
           *       "seniority": [
           *         "senior",
           *         "staff"
           *       ],
           *       "salary": {
           *         "min": 80000,
           *         "currency": "EUR"
           *       },
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["JobFilter"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listJobMatches: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of matches */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "job": {
           *             "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
           *             "title": "Senior Rust Engineer",
           *             "company": {
           *               "name": "Tidewater Systems",
           *               "slug": "tidewater-systems"
           *             },
           *             "location": "Berlin, Germany",
           *             "stack": [
           *               "rust",
           *               "postgres"
           *             ],
           *             "salary": {
           *               "min": 85000,
           *               "max": 110000,
           *               "currency": "EUR"
           *             },
           *             "posted_at": "2026-11-18T08:00:00.000Z"
           *           },
           *           "filter_id": "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "score": 1,
           *           "why": {
           *             "stack": 1,
           *             "place": 1,
           *             "salary": 1,
           *             "seniority": 1
           *           },
           *           "matched_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["JobMatchPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listPrompts: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Model slug. */
        model?: string;
        /** @description Category slug. */
        category?: string;
        /** @description Only prompts with at least this score. */
        min_score?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of prompts */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "Review a diff like a maintainer",
           *           "body": "You maintain this project and will live with this change for ten years …",
           *           "model": "claude-sonnet",
           *           "category": "code-review",
           *           "score": 4.63,
           *           "author": {
           *             "username": "ada"
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["PromptPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  submitPrompt: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What it is for, on one line.
           * @example Review a diff like a maintainer
           */
          title: string;
          /**
           * @description The prompt itself.
           * @example You maintain this project and will live with this change for ten years …
           */
          body: string;
          /**
           * @description Slug of the model it was written for.
           * @example claude-sonnet
           */
          model: string;
          /**
           * @description Category slug.
           * @example code-review
           */
          category: string;
        };
      };
    };
    responses: {
      /** @description The prompt, in its first version */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Review a diff like a maintainer",
           *       "body": "You maintain this project and will live with this change for ten years …",
           *       "model": "claude-sonnet",
           *       "category": "code-review",
           *       "score": 0,
           *       "author": {
           *         "username": "ada"
           *       },
           *       "version": 1,
           *       "note": "",
           *       "ratings": 0,
           *       "created_at": "2026-11-02T18:20:00.000Z",
           *       "revised_at": null,
           *       "stars": null,
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["PromptDetail"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getPrompt: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The prompt's identifier.
         * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The prompt */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Review a diff like a maintainer",
           *       "body": "You maintain this project and will live with this change for ten years …",
           *       "model": "claude-sonnet",
           *       "category": "code-review",
           *       "score": 4.63,
           *       "author": {
           *         "username": "ada"
           *       },
           *       "version": 2,
           *       "note": "Asks for tests before style.",
           *       "ratings": 8,
           *       "created_at": "2026-11-02T18:20:00.000Z",
           *       "revised_at": "2026-11-18T08:00:00.000Z",
           *       "stars": 5,
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["PromptDetail"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  deletePrompt: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The prompt's identifier.
         * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listPromptVersions: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path: {
        /**
         * @description The prompt's identifier.
         * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of versions */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "version": 2,
           *           "note": "Asks for tests before style.",
           *           "ratings": 8,
           *           "title": "Review a diff like a maintainer",
           *           "body": "You maintain this project and will live with this change for ten years …",
           *           "model": "claude-sonnet",
           *           "score": 4.63,
           *           "created_at": "2026-11-18T08:00:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["PromptVersionPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  revisePrompt: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The prompt's identifier.
         * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The prompt itself.
           * @example You maintain this project and will live with this change for ten years …
           */
          body: string;
          /**
           * @description What changed, and why.
           * @example Asks for tests before style.
           */
          note: string;
          /**
           * @description What it is for, on one line.
           * @example Review a diff like a maintainer
           */
          title?: string;
          /**
           * @description Slug of the model it was written for.
           * @example claude-sonnet
           */
          model?: string;
        };
      };
    };
    responses: {
      /** @description The prompt, in its new version */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Review a diff like a maintainer",
           *       "body": "You maintain this project and will live with this change for ten years …",
           *       "model": "claude-sonnet",
           *       "category": "code-review",
           *       "score": 0,
           *       "author": {
           *         "username": "ada"
           *       },
           *       "version": 2,
           *       "note": "Asks for tests before style.",
           *       "ratings": 0,
           *       "created_at": "2026-11-02T18:20:00.000Z",
           *       "revised_at": "2026-11-18T08:00:00.000Z",
           *       "stars": null,
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["PromptDetail"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  ratePrompt: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The prompt's identifier.
         * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description 1 is poor, 5 is excellent.
           * @example 5
           */
          stars: number;
          /**
           * @description The version that you have read. Left out, whichever is current.
           * @example 1
           */
          version?: number;
        };
      };
    };
    responses: {
      /** @description The prompt with its new score */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Review a diff like a maintainer",
           *       "body": "You maintain this project and will live with this change for ten years …",
           *       "model": "claude-sonnet",
           *       "category": "code-review",
           *       "score": 4.63,
           *       "author": {
           *         "username": "ada"
           *       },
           *       "version": 2,
           *       "note": "Asks for tests before style.",
           *       "ratings": 8,
           *       "created_at": "2026-11-02T18:20:00.000Z",
           *       "revised_at": "2026-11-18T08:00:00.000Z",
           *       "stars": 5,
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["PromptDetail"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listProfiles: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Words to find in usernames, names and the tags that builders post under: all of them, each by its beginning. No input is a syntax error. */
        q?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the directory */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "username": "ada",
           *           "name": "Ada Okafor",
           *           "bio": "Compilers by day, bread by night.",
           *           "xp": 4210,
           *           "streak_days": 37,
           *           "badges": [
           *             "first-post",
           *             "streak-30"
           *           ],
           *           "projects": [
           *             {
           *               "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *               "title": "tinyqueue"
           *             }
           *           ]
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["ProfilePage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getOwnProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The profile */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "username": "ada",
           *       "name": "Ada Okafor",
           *       "bio": "Compilers by day, bread by night.",
           *       "xp": 4210,
           *       "streak_days": 37,
           *       "badges": [
           *         "first-post",
           *         "streak-30"
           *       ],
           *       "projects": [
           *         {
           *           "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "tinyqueue"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Profile"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeProfile: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example Ada Okafor */
          name?: string;
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example Compilers by day, bread by night.
           */
          bio?: string;
          /**
           * @description A name of the IANA database. Your days, which the streak counts, end at midnight there; a change holds from the end of your day under way.
           * @example Europe/Berlin
           */
          time_zone?: string;
        };
      };
    };
    responses: {
      /** @description The profile */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "username": "ada",
           *       "name": "Ada Okafor",
           *       "bio": "Compilers by day, bread by night.",
           *       "xp": 4210,
           *       "streak_days": 37,
           *       "badges": [
           *         "first-post",
           *         "streak-30"
           *       ],
           *       "projects": [
           *         {
           *           "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "tinyqueue"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Profile"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      412: components["responses"]["Refused412"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  setAvatar: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description A picture that you have sent, by its id.
           * @example med_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          media: string;
        };
      };
    };
    responses: {
      /** @description What you look like */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "avatar": "https://guild.example/media/9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345-480.webp",
           *       "crest": "https://guild.example/crests/ada.svg"
           *     }
           */
          "application/json": components["schemas"]["Avatar"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      412: components["responses"]["Refused412"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  removeAvatar: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What you look like */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "avatar": null,
           *       "crest": "https://guild.example/crests/ada.svg"
           *     }
           */
          "application/json": components["schemas"]["Avatar"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getStreak: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The streak */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "streak_days": 37,
           *       "longest": 41,
           *       "active_today": false,
           *       "time_zone": "Europe/Berlin",
           *       "next_time_zone": {
           *         "name": "Pacific/Auckland",
           *         "since": "2026-11-20T23:00:00.000Z"
           *       }
           *     }
           */
          "application/json": components["schemas"]["Streak"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listXp: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the ledger */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "xp_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "reason": "post.published",
           *           "words": "Published a post",
           *           "subject_id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "points": 10,
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["XpPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example ada
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The profile */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "username": "ada",
           *       "name": "Ada Okafor",
           *       "bio": "Compilers by day, bread by night.",
           *       "xp": 4210,
           *       "streak_days": 37,
           *       "badges": [
           *         "first-post",
           *         "streak-30"
           *       ],
           *       "projects": [
           *         {
           *           "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "tinyqueue"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Profile"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listProjects: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of your projects */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "tinyqueue",
           *           "url": "https://tinyqueue.example.com",
           *           "description": "A queue that fits in one file.",
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["ProjectPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  addProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example tinyqueue */
          title: string;
          /**
           * @description Where it can be seen.
           * @example https://tinyqueue.example.com
           */
          url?: string | null;
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example A queue that fits in one file.
           */
          description?: string | null;
        };
      };
    };
    responses: {
      /** @description The project */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "tinyqueue",
           *       "url": "https://tinyqueue.example.com",
           *       "description": "A queue that fits in one file.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The project's identifier.
         * @example prj_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The project */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "tinyqueue",
           *       "url": "https://tinyqueue.example.com",
           *       "description": "A queue that fits in one file.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Project"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  deleteProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The project's identifier.
         * @example prj_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The project's identifier.
         * @example prj_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @example tinyqueue */
          title?: string;
          /**
           * @description Where it can be seen.
           * @example https://tinyqueue.example.com
           */
          url?: string | null;
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example A queue that fits in one file.
           */
          description?: string | null;
        };
      };
    };
    responses: {
      /** @description The project */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "tinyqueue",
           *       "url": "https://tinyqueue.example.com",
           *       "description": "A queue that fits in one file.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Project"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listThreads: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only what stands in the inbox, or only requests. */
        box?: "inbox" | "requests";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of your threads */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "with": {
           *             "username": "ada",
           *             "name": "Ada Okafor"
           *           },
           *           "unread": 1,
           *           "request": false,
           *           "last": {
           *             "id": "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
           *             "mine": false,
           *             "preview": "Saw your queue: shall we talk?",
           *             "created_at": "2026-11-20T09:30:00.000Z"
           *           },
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["ThreadPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  sendMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The builder's username, in any case.
           * @example bo
           */
          to: string;
          /**
           * @description Markdown. Counted in Unicode code points.
           * @example Saw your queue: shall we talk?
           */
          text: string;
        };
      };
    };
    responses: {
      /** @description The message */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "thread_id": "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "from": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "text": "Saw your queue: shall we talk?",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Message"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listMessages: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path: {
        /**
         * @description The thread.
         * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        thread: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the thread */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "thread_id": "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "from": {
           *             "username": "ada",
           *             "name": "Ada Okafor"
           *           },
           *           "text": "Saw your queue: shall we talk?",
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["MessagePage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  markThreadRead: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The thread.
         * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        thread: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description The newest message that was shown: what came in since stays unread. Leave it out to mark all of them.
           * @example msg_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          up_to?: string;
        };
      };
    };
    responses: {
      /** @description The thread */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "with": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "unread": 0,
           *       "request": false,
           *       "last": {
           *         "id": "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
           *         "mine": false,
           *         "preview": "Saw your queue: shall we talk?",
           *         "created_at": "2026-11-20T09:30:00.000Z"
           *       },
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["MessageThread"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  acceptThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The thread.
         * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        thread: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The thread */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "with": {
           *         "username": "ada",
           *         "name": "Ada Okafor"
           *       },
           *       "unread": 1,
           *       "request": false,
           *       "last": {
           *         "id": "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
           *         "mine": false,
           *         "preview": "Saw your queue: shall we talk?",
           *         "created_at": "2026-11-20T09:30:00.000Z"
           *       },
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["MessageThread"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getMessageSettings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whose messages you receive */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "from": "everybody"
           *     }
           */
          "application/json": components["schemas"]["MessageSettings"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  setMessageSettings: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Whose messages you receive: `everybody`, `contacts` (whom you have written to or answered, or follow) or `nobody`.
           * @example contacts
           * @enum {string}
           */
          from: "everybody" | "contacts" | "nobody";
        };
      };
    };
    responses: {
      /** @description Whose messages you receive */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "from": "contacts"
           *     }
           */
          "application/json": components["schemas"]["MessageSettings"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listBlocks: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of those you have blocked */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "username": "cy",
           *           "name": "Cy Lind",
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["BlockPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  blockBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example cy
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description They are blocked */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  unblockBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example cy
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description They are not blocked */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listNotifications: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `true`: only what you have not read. `false`: only what you have. */
        unread?: boolean;
        /** @description Only one kind. */
        kind?:
          | "reply"
          | "mention"
          | "like"
          | "follow"
          | "job_match"
          | "prompt_rating"
          | "message"
          | "level_up"
          | "badge"
          | "report_decided"
          | "hidden"
          | "endpoint_failing"
          | "endpoint_disabled"
          | "sign_in"
          | "access_added"
          | "mail_bounced"
          | "invitation"
          | "report_waiting"
          | "application_received"
          | "member_joined"
          | "owner_changed"
          | "backup_failed";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of notifications */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "ntf_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "kind": "reply",
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "read": false,
           *           "count": 4,
           *           "actors": [
           *             {
           *               "username": "ada",
           *               "name": "Ada Okafor"
           *             }
           *           ],
           *           "subject": {
           *             "type": "post",
           *             "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *             "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["NotificationPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  markNotificationsRead: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Those that were shown. What is not yours, or is gone, is passed over.
           * @example [
           *       "ntf_01kafzq8e5f2r8v0j3n6s1t4wx"
           *     ]
           */
          ids?: string[];
          /**
           * @description The newest that was shown: it, and all that was told before.
           * @example ntf_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          up_to?: string;
        };
      };
    };
    responses: {
      /** @description How many are unread now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "unread": 0
           *     }
           */
          "application/json": components["schemas"]["Unread"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getNotificationSettings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each kind */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reply": "off",
           *       "mention": "off",
           *       "like": "off",
           *       "follow": "off",
           *       "job_match": "off",
           *       "prompt_rating": "off",
           *       "message": "off",
           *       "level_up": "off",
           *       "badge": "off",
           *       "report_decided": "off",
           *       "hidden": "off",
           *       "endpoint_failing": "off",
           *       "endpoint_disabled": "off",
           *       "sign_in": "off",
           *       "mail_bounced": "off",
           *       "invitation": "off",
           *       "report_waiting": "off",
           *       "application_received": "off",
           *       "member_joined": "off",
           *       "owner_changed": "off",
           *       "backup_failed": "off"
           *     }
           */
          "application/json": components["schemas"]["NotificationSettings"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeNotificationSettings: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Somebody answers you. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          reply?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody names you. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          mention?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody likes what you wrote. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          like?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody follows you. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          follow?: "off" | "here" | "push" | "mail";
          /**
           * @description A job fits one of your filters. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          job_match?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody rates your prompt. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          prompt_rating?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody new writes to you. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          message?: "off" | "here" | "push" | "mail";
          /**
           * @description You reach a level. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          level_up?: "off" | "here" | "push" | "mail";
          /**
           * @description You earn a badge. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          badge?: "off" | "here" | "push" | "mail";
          /**
           * @description A report of yours was decided. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          report_decided?: "off" | "here" | "push" | "mail";
          /**
           * @description Something of yours was hidden. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          hidden?: "off" | "here" | "push" | "mail";
          /**
           * @description An endpoint of yours fails. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          endpoint_failing?: "off" | "here" | "push" | "mail";
          /**
           * @description An endpoint of yours was switched off. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          endpoint_disabled?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody signs in as you with a browser that was not there before. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          sign_in?: "off" | "here" | "push" | "mail";
          /**
           * @description Your mailbox refuses mail. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          mail_bounced?: "off" | "here" | "push" | "mail";
          /**
           * @description You come into a workspace, or somebody comes by your link. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          invitation?: "off" | "here" | "push" | "mail";
          /**
           * @description Reports wait. For those who run the community. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          report_waiting?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody asks to be let in. For those who run the community. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          application_received?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody joins. For those who run the community. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          member_joined?: "off" | "here" | "push" | "mail";
          /**
           * @description Somebody becomes an owner of the community. For its owners. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          owner_changed?: "off" | "here" | "push" | "mail";
          /**
           * @description A backup failed. For those who run the community. `off`, `here` (in the list), `push` (also on your devices) or `mail` (also in your mailbox).
           * @enum {string}
           */
          backup_failed?: "off" | "here" | "push" | "mail";
        };
      };
    };
    responses: {
      /** @description Each kind */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reply": "off",
           *       "mention": "off",
           *       "like": "off",
           *       "follow": "off",
           *       "job_match": "off",
           *       "prompt_rating": "off",
           *       "message": "off",
           *       "level_up": "off",
           *       "badge": "off",
           *       "report_decided": "off",
           *       "hidden": "off",
           *       "endpoint_failing": "off",
           *       "endpoint_disabled": "off",
           *       "sign_in": "off",
           *       "mail_bounced": "off",
           *       "invitation": "off",
           *       "report_waiting": "off",
           *       "application_received": "off",
           *       "member_joined": "off",
           *       "owner_changed": "off",
           *       "backup_failed": "off"
           *     }
           */
          "application/json": components["schemas"]["NotificationSettings"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  searchEverything: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Words, "phrases", beginnings with `*`, `tag:rust`, `author:ada`, `before:2026-01-01`, `after:2026-01-01`: all of them. No input is a syntax error. */
        q?: string;
        /** @description Only things of this kind, page by page; without it the first three of each. */
        kind?: "post" | "job" | "prompt" | "builder";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of what was found */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "kind": "post",
           *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "title": "Shipped",
           *           "snippet": "The first release of our <mark>queue</mark> is out.",
           *           "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "author": "ada",
           *           "root_id": null,
           *           "created_at": "2026-11-20T09:30:00.000Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["FoundPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  reportPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description Its identifier.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What is wrong with it, for the moderators.
           * @example The same advertisement for the fifth time today.
           */
          reason: string;
        };
      };
    };
    responses: {
      /** @description Your report */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "post",
           *         "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx"
           *       },
           *       "reason": "The same advertisement for the fifth time today.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ReportReceipt"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  reportJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description Its identifier.
         * @example job_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What is wrong with it, for the moderators.
           * @example The same advertisement for the fifth time today.
           */
          reason: string;
        };
      };
    };
    responses: {
      /** @description Your report */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "job",
           *         "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx"
           *       },
           *       "reason": "The same advertisement for the fifth time today.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ReportReceipt"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  reportPrompt: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description Its identifier.
         * @example prompt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What is wrong with it, for the moderators.
           * @example The same advertisement for the fifth time today.
           */
          reason: string;
        };
      };
    };
    responses: {
      /** @description Your report */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "prompt",
           *         "id": "prompt_01kafzq8e5f2r8v0j3n6s1t4wx"
           *       },
           *       "reason": "The same advertisement for the fifth time today.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ReportReceipt"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  reportBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example ada
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What is wrong with it, for the moderators.
           * @example The same advertisement for the fifth time today.
           */
          reason: string;
        };
      };
    };
    responses: {
      /** @description Your report */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "builder",
           *         "id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx"
           *       },
           *       "reason": "The same advertisement for the fifth time today.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ReportReceipt"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  reportMessage: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The thread's id.
         * @example thr_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        thread: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description What is wrong with it, for the moderators.
           * @example The same advertisement for the fifth time today.
           */
          reason: string;
          /**
           * @description Which message of the other builder it is; left out, their newest.
           * @example msg_01kafzq8e5f2r8v0j3n6s1t4wx
           */
          message?: string;
        };
      };
    };
    responses: {
      /** @description Your report */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "message",
           *         "id": "msg_01kafzq8e5f2r8v0j3n6s1t4wx"
           *       },
           *       "reason": "The same advertisement for the fifth time today.",
           *       "created_at": "2026-11-20T09:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ReportReceipt"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listReports: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only reports that wait, or only those that are settled. */
        state?: "open" | "settled";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of reports */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "subject": {
           *             "type": "post",
           *             "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *             "title": "Cheap followers",
           *             "owner": "mallory",
           *             "hidden": false
           *           },
           *           "as_reported": null,
           *           "reason": "The same advertisement for the fifth time today.",
           *           "reporter": "bo",
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "settled": null
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["ReportPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  dismissReport: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The report's identifier.
         * @example rpt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The report, settled */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "post",
           *         "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *         "title": "Cheap followers",
           *         "owner": "mallory",
           *         "hidden": false
           *       },
           *       "as_reported": null,
           *       "reason": "The same advertisement for the fifth time today.",
           *       "reporter": "bo",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled": {
           *         "at": "2026-11-20T09:30:00.000Z",
           *         "by": "root",
           *         "outcome": "dismissed"
           *       }
           *     }
           */
          "application/json": components["schemas"]["Report"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  reopenReport: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The report's identifier.
         * @example rpt_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The report, open */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "rpt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "subject": {
           *         "type": "post",
           *         "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *         "title": "Cheap followers",
           *         "owner": "mallory",
           *         "hidden": false
           *       },
           *       "as_reported": null,
           *       "reason": "The same advertisement for the fifth time today.",
           *       "reporter": "bo",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled": null
           *     }
           */
          "application/json": components["schemas"]["Report"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  hideThing: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post, reply, job or prompt.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description Why, for whose it is: they are told of it.
           * @example An advertisement. Those have a place on the jobs board.
           */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description What was hidden */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "post",
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Cheap followers",
           *       "owner": "mallory",
           *       "hidden": true
           *     }
           */
          "application/json": components["schemas"]["Subject"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  restoreThing: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The identifier of a post, reply, job or prompt.
         * @example post_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was restored */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "post",
           *       "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "Cheap followers",
           *       "owner": "mallory",
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["Subject"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  suspendBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example ada
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The builder */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "builder",
           *       "id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "ada",
           *       "owner": "ada",
           *       "hidden": true
           *     }
           */
          "application/json": components["schemas"]["Subject"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  restoreBuilder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The builder's handle without a leading @, in any case.
         * @example ada
         */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The builder */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "type": "builder",
           *       "id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "title": "ada",
           *       "owner": "ada",
           *       "hidden": false
           *     }
           */
          "application/json": components["schemas"]["Subject"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All endpoints, newest first */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "url": "https://hooks.example.com/guildhall",
           *           "events": [
           *             "post.created"
           *           ],
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "disabled": null
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["WebhookEndpointList"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  registerWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uri
           * @description The https:// address that receives deliveries. Private and special addresses are refused.
           * @example https://hooks.example.com/guildhall
           */
          url: string;
          /**
           * @description Event types to receive, of: post.created, post.updated, post.deleted, job.published, job.matched, dm.received, xp.level_up, webhook.endpoint_disabled.
           * @example [
           *       "post.created"
           *     ]
           */
          events: string[];
        };
      };
    };
    responses: {
      /** @description The endpoint and its secret; `Location` names it */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null,
           *       "owner": {
           *         "username": "ada",
           *         "app": null
           *       },
           *       "health": {
           *         "state": "ok",
           *         "failing_since": null,
           *         "disabled_at": null,
           *         "code": null,
           *         "reason": null
           *       },
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
           *     }
           */
          "application/json": components["schemas"]["RegisteredWebhookEndpoint"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null,
           *       "owner": {
           *         "username": "ada",
           *         "app": null
           *       },
           *       "health": {
           *         "state": "ok",
           *         "failing_since": null,
           *         "disabled_at": null,
           *         "code": null,
           *         "reason": null
           *       }
           *     }
           */
          "application/json": components["schemas"]["WebhookEndpointDetail"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      412: components["responses"]["Refused412"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  changeWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of a GET of the same address: 412 where the thing has changed since. An address that cannot be read has none, and never matches. */
        "If-Match"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: uri
           * @description The https:// address that receives deliveries. Private and special addresses are refused.
           * @example https://hooks.example.com/guildhall
           */
          url?: string;
          /**
           * @description Event types to receive, of: post.created, post.updated, post.deleted, job.published, job.matched, dm.received, xp.level_up, webhook.endpoint_disabled.
           * @example [
           *       "post.created"
           *     ]
           */
          events?: string[];
          /**
           * @description `false` stops deliveries and keeps what waits; `true` resumes them.
           * @example false
           */
          enabled?: boolean;
        };
      };
    };
    responses: {
      /** @description The endpoint as it is now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null,
           *       "owner": {
           *         "username": "ada",
           *         "app": null
           *       },
           *       "health": {
           *         "state": "ok",
           *         "failing_since": null,
           *         "disabled_at": null,
           *         "code": null,
           *         "reason": null
           *       }
           *     }
           */
          "application/json": components["schemas"]["WebhookEndpointDetail"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      412: components["responses"]["Refused412"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint and its new secret */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "url": "https://hooks.example.com/guildhall",
           *       "events": [
           *         "post.created"
           *       ],
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "disabled": null,
           *       "owner": {
           *         "username": "ada",
           *         "app": null
           *       },
           *       "health": {
           *         "state": "ok",
           *         "failing_since": null,
           *         "disabled_at": null,
           *         "code": null,
           *         "reason": null
           *       },
           *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
           *     }
           */
          "application/json": components["schemas"]["RegisteredWebhookEndpoint"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description The type of the event: post.created, post.updated, post.deleted, job.published, job.matched, dm.received, xp.level_up, webhook.endpoint_disabled, webhook.test; `webhook.test` if left out.
           * @example webhook.test
           */
          type?: string;
        };
      };
    };
    responses: {
      /** @description The delivery */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_type": "webhook.test",
           *       "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "state": "awaiting_retry",
           *       "attempts": 1,
           *       "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled_at": null,
           *       "given_up": null
           *     }
           */
          "application/json": components["schemas"]["Delivery"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only deliveries in this state. */
        state?: "attempting" | "awaiting_retry" | "acknowledged" | "failed";
      };
      header?: never;
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of deliveries */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "event_type": "post.created",
           *           "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "state": "awaiting_retry",
           *           "attempts": 1,
           *           "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "settled_at": null,
           *           "given_up": null
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["DeliveryPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The delivery's identifier.
         * @example dlv_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_type": "post.created",
           *       "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "state": "awaiting_retry",
           *       "attempts": 1,
           *       "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled_at": null,
           *       "given_up": null,
           *       "log": [
           *         {
           *           "id": "att_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "started_at": "2026-11-20T09:30:00.002Z",
           *           "duration_ms": 41,
           *           "status": 503,
           *           "error": "The receiver answered 503.",
           *           "code": "status",
           *           "answer": "upstream is restarting"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["DeliveryDetail"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  retryDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The delivery's identifier.
         * @example dlv_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery, due now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "event_type": "post.created",
           *       "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
           *       "state": "awaiting_retry",
           *       "attempts": 7,
           *       "next_attempt_at": "2026-11-20T09:30:30.000Z",
           *       "created_at": "2026-11-20T09:30:00.000Z",
           *       "settled_at": null,
           *       "given_up": null
           *     }
           */
          "application/json": components["schemas"]["Delivery"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  recoverWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: the same key and body within 24 hours get the first answer again. */
        "Idempotency-Key"?: string;
      };
      path: {
        /**
         * @description The endpoint's identifier.
         * @example whe_01kafzq8e5f2r8v0j3n6s1t4wx
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: date-time
           * @description Only what was fired after it.
           * @example 2026-11-20T00:00:00Z
           */
          since: string;
          /**
           * Format: date-time
           * @description And not after this; now, if left out.
           * @example 2026-11-21T00:00:00Z
           */
          until?: string;
          /**
           * @description Deliveries in this state, `failed` if left out; `any` means both.
           * @example failed
           * @enum {string}
           */
          state?: "failed" | "acknowledged" | "any";
          /**
           * @description Also events that the endpoint has no delivery of; `false` if left out.
           * @example true
           */
          missed?: boolean;
        };
      };
    };
    responses: {
      /** @description How many deliveries of it you may read, each counted up to 5,000 */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "recovered": 12
           *     }
           */
          "application/json": components["schemas"]["Recovery"];
        };
      };
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      404: components["responses"]["Refused404"];
      409: components["responses"]["Refused409"];
      422: components["responses"]["Refused422"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description The `next` of the page before, unchanged. Leave it out for the first page. */
        cursor?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description Only events fired after this moment. */
        since?: string;
        /** @description The id of an event: only those behind it in the log, which is in the order of the commits. One older than what is kept is refused, and so is one that this log never had. The id of zeros is before all events. */
        after?: string;
        /** @description Where there is nothing to tell yet, wait so many seconds for the first event. */
        wait?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of events, each as it is delivered */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
           *           "type": "post.created",
           *           "created_at": "2026-11-20T09:30:00.000Z",
           *           "data": {
           *             "post": {
           *               "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
           *               "author_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
           *               "title": "Shipped",
           *               "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"
           *             }
           *           }
           *         }
           *       ],
           *       "next": null
           *     }
           */
          "application/json": components["schemas"]["EventPage"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      401: components["responses"]["Refused401"];
      403: components["responses"]["Refused403"];
      409: components["responses"]["Refused409"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getCommunity: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The community */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "name": "The Beekeepers",
           *       "line": "Builders who keep bees, and the other way round.",
           *       "welcome": "Come in, and say what you build.",
           *       "rules": "1. Be kind.\n2. Show your work.",
           *       "contact": "hello@guild.example",
           *       "language": "en",
           *       "time_zone": "Europe/Berlin",
           *       "reading": "everybody",
           *       "joining": "open",
           *       "about": "https://guild.example/about",
           *       "sign_up": "https://guild.example/sign-up",
           *       "counts": {
           *         "members": 128,
           *         "active_month": 61,
           *         "active_half_year": 97,
           *         "posts": 2140,
           *         "replies": 8205,
           *         "jobs": 34,
           *         "prompts": 410
           *       }
           *     }
           */
          "application/json": components["schemas"]["Community"];
        };
      };
      304: components["responses"]["Unchanged"];
      400: components["responses"]["Refused400"];
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  getOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1 */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Record<string, never>;
        };
      };
      429: components["responses"]["Refused429"];
      500: components["responses"]["Refused500"];
    };
  };
  onPostCreated: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "post.created",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "post": {
         *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
         *           "author_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
         *           "title": "Shipped",
         *           "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["PostCreatedEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPostUpdated: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "post.updated",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "post": {
         *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx",
         *           "author_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
         *           "title": "Shipped",
         *           "url": "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx"
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["PostUpdatedEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPostDeleted: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "post.deleted",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "post": {
         *           "id": "post_01kafzq8e5f2r8v0j3n6s1t4wx"
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["PostDeletedEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onJobPublished: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "job.published",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "job": {
         *           "id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
         *           "title": "Rust engineer",
         *           "company": {
         *             "name": "Tidewater Systems",
         *             "slug": "tidewater-systems"
         *           },
         *           "url": "https://guild.example/jobs/job_01kafzq8e5f2r8v0j3n6s1t4wx"
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["JobPublishedEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onJobMatched: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "job.matched",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "job_id": "job_01kafzq8e5f2r8v0j3n6s1t4wx",
         *         "builder_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
         *         "score": 0.92
         *       }
         *     }
         */
        "application/json": components["schemas"]["JobMatchedEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onDmReceived: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "dm.received",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "thread_id": "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
         *         "from_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
         *         "preview": "Saw your talk. Coffee?"
         *       }
         *     }
         */
        "application/json": components["schemas"]["DmReceivedEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onXpLevelUp: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "xp.level_up",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "user_id": "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
         *         "from_level": 1,
         *         "to_level": 2,
         *         "badge": "apprentice"
         *       }
         *     }
         */
        "application/json": components["schemas"]["XpLevelUpEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWebhookEndpointDisabled: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "webhook.endpoint_disabled",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "endpoint": {
         *           "id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
         *           "url": "https://hooks.example.com/guildhall",
         *           "reason": "failing_for_days",
         *           "failing_since": "2026-11-15T09:30:00.000Z",
         *           "disabled_at": "2026-11-20T09:30:00.000Z"
         *         }
         *       }
         *     }
         */
        "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onWebhookTest: {
    parameters: {
      query?: never;
      header: {
        /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes. */
        "X-Service-Signature": string;
        /** @description The event's `id` (Standard Webhooks). */
        "webhook-id": string;
        /** @description Unix seconds of this attempt (Standard Webhooks). */
        "webhook-timestamp": string;
        /** @description `v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks). */
        "webhook-signature": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
         *       "type": "webhook.test",
         *       "created_at": "2026-11-20T09:30:00.000Z",
         *       "data": {
         *         "endpoint_id": "whe_01kafzq8e5f2r8v0j3n6s1t4wx"
         *       }
         *     }
         */
        "application/json": components["schemas"]["WebhookTestEvent"];
      };
    };
    responses: {
      /** @description The receiver is gone for good: the endpoint is disabled. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Acknowledges it, where it comes within 10 seconds. The body is not read for anything. */
      "2XX": {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not acknowledged: it is sent again, seven times in all within 24 hours. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
