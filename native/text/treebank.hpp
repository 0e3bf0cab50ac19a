// Words of an English sentence in the style of the Penn Treebank, with NLTK's handling of quotes.
#pragma once

#include <string>
#include <string_view>

namespace plainmark {

// The sentence with its words separated by single spaces.
std::u32string treebank(std::u32string_view sentence);

}  // namespace plainmark
