# Re-runs the comparison of conditions with lme4, and compares it with the figures of the report (effects.csv).
#
#     Rscript analysis.R
#
# Needs R and, for the mixed model, lme4: install.packages("lme4"). Run it in the folder that holds answers.csv.

# %% The study's own choices
@SETTINGS@

# %% The answers
everything <- read.csv("answers.csv", colClasses = "character", na.strings = character(0), encoding = "UTF-8")
people <- read.csv("participants.csv", colClasses = "character", na.strings = character(0), encoding = "UTF-8")
excluded <- people$participant[people$excluded != ""]
keyed <- subset(everything, page == "block" & counted == "True" & correct != "" & condition %in% conditions)
keyed$right <- as.integer(keyed$correct == "True")
if (length(unique(excluded)) > 0 && all(keyed$participant %in% excluded)) {
  cat("The exclusion rules leave nobody; everyone is analysed.\n")
  excluded <- character(0)
}
analysed <- subset(keyed, !(participant %in% excluded))
cat(nrow(everything), "answers of", length(unique(everything$participant)), "people;",
    length(intersect(excluded, keyed$participant)), "people are excluded by the rules of the definition\n\n")

# %% Right answers by condition, after exclusions and of everyone
accuracy <- function(rows) {
  groups <- factor(rows$condition, levels = conditions)
  data.frame(answers = as.vector(table(groups)),
             percent_right = round(100 * as.vector(tapply(rows$right, groups, mean)), 2), row.names = conditions)
}
cat("After exclusions\n"); print(accuracy(analysed))
cat("\nEveryone\n"); print(accuracy(keyed))

# %% Survey answers
survey <- subset(everything, page == "survey" & session == 1 & asked == "True" & participant %in% analysed$participant)
for (name in unique(survey$question)) {
  given <- subset(survey, question == name)
  if (length(unique(given$answer)) <= 20) {
    cat("\n", name, "\n", sep = "")
    print(table(given$answer, dnn = NULL))
  }
}

# %% Seconds per trial
trials <- unique(analysed[c("participant", "position", "condition", "seconds")])
trials <- subset(trials, seconds != "")
if (nrow(trials) > 0) {
  cat("\nMedian seconds per trial\n")
  print(round(tapply(as.numeric(trials$seconds), factor(trials$condition, levels = conditions), median), 2))
}

# %% The mixed model
if (!requireNamespace("lme4", quietly = TRUE)) {
  cat("\nlme4 is not installed: no mixed model. To install it: install.packages(\"lme4\")\n")
} else if (length(unique(analysed$condition)) < 2) {
  cat("\nAnswers in fewer than two conditions: nothing to compare.\n")
} else {
  present <- conditions[conditions %in% analysed$condition]
  if (!(baseline %in% present)) baseline <- present[1]
  analysed$condition <- factor(analysed$condition, levels = c(baseline, setdiff(present, baseline)))
  analysed$text <- paste(analysed$item, analysed$condition, sep = "\r")
  several <- length(unique(paste(analysed$item, analysed$question, sep = "\r"))) > length(unique(analysed$item))
  analysed$question <- paste(analysed$item, analysed$question, sep = "\r")
  if (!several) random <- setdiff(random, "question")
  random <- Filter(function(name) {
    levels <- length(unique(analysed[[name]]))
    levels > 1 && levels < nrow(analysed)
  }, random)
  formula <- as.formula(paste("right ~ condition", paste(sprintf("+ (1 | %s)", random), collapse = " ")))
  control <- lme4::glmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 1e6))
  model <- lme4::glmer(formula, analysed, family = binomial, control = control)
  effects <- lme4::fixef(model)
  spread <- as.matrix(vcov(model))
  rows <- list()
  for (pair in contrasts) {
    if (!all(pair %in% present)) next
    weights <- setNames(numeric(length(effects)), names(effects))
    if (pair[2] != baseline) weights[paste0("condition", pair[2])] <- 1
    if (pair[1] != baseline) weights[paste0("condition", pair[1])] <- weights[paste0("condition", pair[1])] - 1
    estimate <- sum(weights * effects)
    error <- sqrt(as.numeric(t(weights) %*% spread %*% weights))
    rows[[length(rows) + 1]] <- data.frame(one = pair[1], other = pair[2], log_odds = estimate, error = error)
  }
  table <- do.call(rbind, rows)
  half <- qnorm((1 + level) / 2) * table$error
  table$odds_ratio <- exp(table$log_odds)
  table$low <- exp(table$log_odds - half)
  table$high <- exp(table$log_odds + half)
  cat("\n", deparse1(formula), "\n", sep = "")
  cat("Standard deviations:", paste(names(lme4::VarCorr(model)), sapply(lme4::VarCorr(model), function(v) round(sqrt(v[1]), 4)),
                                    collapse = ", "), "\n")
  print(table, row.names = FALSE, digits = 5)

  # %% Against the report
  report <- read.csv("effects.csv", encoding = "UTF-8")
  both <- merge(table, report, by = c("one", "other"), suffixes = c("", ".report"))
  both <- both[!is.na(both$error.report) & !is.na(both$error), ]
  if (nrow(both) < nrow(table)) cat("\nSome contrasts are not determined: a condition is always or never right.\n")
  off <- if (nrow(both) == 0) 0 else max(abs(both$log_odds - both$log_odds.report), abs(both$error - both$error.report))
  cat(sprintf("\nLargest difference from the report, on the logit scale: %.5f\n", off))
  cat(if (nrow(both) == 0) "Nothing to compare.\n" else if (off < 1e-3) "The same to three digits.\n" else "NOT the same to three digits.\n")
}
